// expect: true
extern void reach_error(void);
int main(void) {
  unsigned long u;
  long s;
  if (!__builtin_mul_overflow(0xffffffffffffffffUL, 0xffffffffffffffffUL, &u) || u != 1)
    reach_error();
  if (__builtin_mul_overflow(0xffffffffUL, 0x100000001UL, &u) || u != 0xffffffffffffffffUL)
    reach_error();
  if (!__builtin_mul_overflow(-1L, 0xffffffffffffffffUL, &u))
    reach_error();
  if (__builtin_mul_overflow(-0x7fffffffffffffffL - 1, 1UL, &s) || s >= 0)
    reach_error();
  if (!__builtin_mul_overflow(-0x7fffffffffffffffL - 1, -1L, &s))
    reach_error();
  if (!__builtin_add_overflow(0xffffffffffffffffUL, 1, &u) || u != 0)
    reach_error();
  if (__builtin_sub_overflow(0UL, 0x8000000000000000UL, &s) || s >= 0)
    reach_error();
  return 0;
}
