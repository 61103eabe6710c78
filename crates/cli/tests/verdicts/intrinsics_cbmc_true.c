// expect: true property: assert
int nondet_int();
int main(void) {
  int x = nondet_int();
  __CPROVER_assume(x > 0);
  __CPROVER_precondition(x != 0, "assumed");
  __CPROVER_assert(x >= 1, "assumed");
  return 0;
}
