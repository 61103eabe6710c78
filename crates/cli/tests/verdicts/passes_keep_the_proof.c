// expect: true config: value-cegar set: passes=constants+large-block+skip+unreachable also: symbolic,k-induction-paths
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int step(int by) { return by * 2; }

int main(void) {
  int sum = 0, noise = 0, by = 3;
  for (int i = 0; i < 5; i++) {
    sum += step(by);
    if (__VERIFIER_nondet_int())
      noise += __VERIFIER_nondet_int() & 1;
  }
  if (sum != 30)
    reach_error();
  return noise;
}
