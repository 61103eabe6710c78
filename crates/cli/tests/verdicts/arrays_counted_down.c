// expect: true property: valid-memsafety config: arrays
// How many bytes are left and how far the pointer is make a whole; a counter that falls is never more than at the start.
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
  clear(area, m);
  return 0;
}
