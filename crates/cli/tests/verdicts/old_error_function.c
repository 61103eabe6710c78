// expect: false(unreach-call)
extern int __VERIFIER_nondet_int(void);

extern void __VERIFIER_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x * 2 == 6)
    __VERIFIER_error(); // violation
  return 0;
}
