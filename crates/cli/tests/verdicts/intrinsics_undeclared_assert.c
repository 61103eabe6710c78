// expect: false(unreach-call) property: assert
int nondet_int();
int main(void) {
  int x = nondet_int();
  assert(x > 1); // violation
  return 0;
}
