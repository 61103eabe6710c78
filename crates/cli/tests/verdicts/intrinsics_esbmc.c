// expect: false(unreach-call) property: assert
unsigned nondet_uint();
int main(void) {
  unsigned n = nondet_uint();
  int a[5];
  __ESBMC_assume(n < 3);
  __ESBMC_assert(__ESBMC_get_object_size(a) == 20, "an array");
  if (n == 3) __ESBMC_unreachable();
  __ESBMC_assert(n + 1 < 3, "two is left"); // violation
  return 0;
}
