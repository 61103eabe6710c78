// expect: false(unreach-call)
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long a = __VERIFIER_nondet_ulong(), r;
  if (__builtin_mul_overflow(a, 3UL, &r) && r == 5)
    reach_error(); // violation
  return 0;
}
