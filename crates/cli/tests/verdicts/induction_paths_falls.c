// expect: true property: no-overflow config: k-induction-paths
// What one counter loses the other gains: the second is never more than the first was.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int left = __VERIFIER_nondet_int(), done = 0;
  while (left > 0) {
    left--;
    done++;
  }
  return 0;
}
