// expect: false(unreach-call) config: symbolic set: coverage=implication
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

// The example of section 4.2: the two ways to the loop leave states that differ in which input is positive. Renaming values and constraints
// each by itself calls them equal; the second way alone leads to the error.
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (__VERIFIER_nondet_int()) {
    if (x <= 0)
      return 0;
  } else {
    if (y <= 0)
      return 0;
  }
  for (int i = 0; i < 2; i++) {
  }
  if (x <= 0 && y > 0)
    reach_error(); // violation
  return 0;
}
