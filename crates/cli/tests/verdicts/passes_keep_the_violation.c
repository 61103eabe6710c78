// expect: false(unreach-call) config: value-cegar set: passes=constants+large-block also: symbolic,bmc
// The inputs are found in the changed program and replayed in this one.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int table[8], limit = 8, first = __VERIFIER_nondet_int();
  for (int i = 0; i < limit; i++)
    table[i] = __VERIFIER_nondet_int();
  int second = __VERIFIER_nondet_int();
  if (first == 41 && second == first + 1)
    reach_error(); // violation
  return table[first & 7];
}
