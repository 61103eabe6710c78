// expect: false(unreach-call) config: value-cegar set: passes=constants+slice+large-block also: symbolic,bmc
// The loop over the table has nothing to do with the violation, so that a pass takes it out; inputs of the loop are asked for all the same.
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
