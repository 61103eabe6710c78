// expect: true property: assert
_Bool nondet_bool();
int main(void) {
  _Bool b = nondet_bool();
  __ESBMC_assume(b);
  __ESBMC_assert(b == 1, "a truth value");
  return 0;
}
