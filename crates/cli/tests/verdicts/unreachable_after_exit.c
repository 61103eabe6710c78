// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

extern void exit(int status);
extern void abort(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 0) {
    exit(0);
    reach_error();
  }
  if (x < 0) {
    abort();
    reach_error();
  }
  check(x == 0);
  return 0;
}
