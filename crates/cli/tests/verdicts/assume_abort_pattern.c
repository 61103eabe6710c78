// expect: true
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

extern void abort(void);
void assume_abort_if_not(int condition) {
  if (!condition) {
    abort();
  }
}
int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  assume_abort_if_not(x < 4);
  check(x * x <= 9);
  return 0;
}
