// expect: false(unreach-call) property: assert
int nondet_int();
int main(void) {
  int x = nondet_int();
  __CPROVER_assume(x > 0 && x < 4);
  __CPROVER_assert(x < 4, "assumed");
  __CPROVER_cover(x == 2);
  __CPROVER_assert(x != 2, "one of three"); // violation
  return 0;
}
