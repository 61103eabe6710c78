// expect: false(unreach-call)
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  if (x + 10u < x)
    reach_error(); // violation
  return 0;
}
