// expect: true config: k-induction-paths
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int state = 0, n = __VERIFIER_nondet_int();
  while (__VERIFIER_nondet_int()) {
    for (int i = 0; i < n; i++) {
      if (state > 2)
        reach_error();
      state = (state + 1) % 3;
    }
  }
  return 0;
}
