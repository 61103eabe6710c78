// expect: true property: assert
__CPROVER_bool nondet_flag(void);
int main(void) {
  unsigned __CPROVER_bitvector[7] b = 127;
  __CPROVER_bool flag = nondet_flag();
  __CPROVER_size_t size = sizeof b;
  b++;
  __CPROVER_assert(b == 0, "seven bits");
  __CPROVER_assert(flag == 0 || flag == 1, "a truth value");
  __CPROVER_assert(size == 1, "a byte");
  return 0;
}
