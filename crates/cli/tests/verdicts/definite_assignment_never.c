// expect: false(unreach-call) config: symbolic set: definite-assignments=never
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = x + 1;
  if (x == 41 && y == 42)
    reach_error(); // violation
  return 0;
}
