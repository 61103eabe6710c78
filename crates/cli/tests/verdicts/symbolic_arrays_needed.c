// expect: true config: symbolic
// What `symbolic-memory=scalars` would lose: an element of an array is the same value each time it is read.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int inputs[4];
  for (int i = 0; i < 4; i++)
    inputs[i] = __VERIFIER_nondet_int();
  if (inputs[1] > 10 && inputs[1] < 5)
    reach_error();
  return 0;
}
