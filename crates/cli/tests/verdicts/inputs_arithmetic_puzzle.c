// expect: false(unreach-call)
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  unsigned int y = __VERIFIER_nondet_uint();
  if (x < 100 && y < 100 && x * 3 + y == 200 && x > y)
    reach_error(); // violation
  return 0;
}
