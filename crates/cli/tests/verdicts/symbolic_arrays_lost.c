// expect: unknown config: symbolic set: symbolic-memory=scalars
// What symbolic_arrays_needed.c proves is not known where elements of arrays are any value each time they are read; it is no false alarm.
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
