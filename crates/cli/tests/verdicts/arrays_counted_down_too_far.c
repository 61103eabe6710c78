// expect: unknown | false(valid-deref) property: valid-memsafety config: arrays
// two answers: watched cells are for proofs; they must not prove this
// The counter of bytes that are left begins at one too many; another pointer is read before it is set.
typedef unsigned long size_t;
extern int __VERIFIER_nondet_int(void);
static void clear(void *start, size_t length) {
  char *p;
  for (p = start; length--;) *p++ = 0;
}
int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  if (n < 1 || m < 1 || m > n) return 0;
  char *area = __builtin_alloca(n);
  clear(area, m + 1);
  return 0;
}
