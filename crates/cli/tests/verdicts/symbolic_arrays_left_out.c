// expect: true config: symbolic set: symbolic-memory=scalars
// Elements of arrays and members of structs are any value each time they are read, constants in them and variables in memory stay known.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct pair {
  int first;
  int second;
};

static void set(int *where) { *where = __VERIFIER_nondet_int(); }

int main(void) {
  int inputs[4];
  for (int i = 0; i < 4; i++)
    inputs[i] = __VERIFIER_nondet_int();
  struct pair pair = {inputs[2], 7};
  int scalar;
  set(&scalar);
  int copy = scalar;
  int chosen = inputs[1];
  if (chosen > 10) {
    if (chosen < 5)
      reach_error();
  }
  if (pair.first == 3 && pair.second != 7)
    reach_error();
  if (copy != scalar)
    reach_error();
  return 0;
}
