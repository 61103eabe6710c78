// expect: false(unreach-call) property: assert
int __SMACK_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
  int a = __SMACK_nondet_int(), b = __SMACK_nondet_int();
  assume(a > 5);
  __VERIFIER_assume(b > a);
  assert(b > 6);
  __VERIFIER_assert(b != 9); // violation
  return 0;
}
