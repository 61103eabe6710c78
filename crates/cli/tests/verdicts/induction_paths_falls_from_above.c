// expect: unknown | false(no-overflow) property: no-overflow config: k-induction-paths
// two answers: it takes 2^31 rounds to get there; it must not be proved
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int left = __VERIFIER_nondet_int(), done = 1;
  while (left > 0) {
    left--;
    done++;
  }
  return 0;
}
