// expect: unknown config: arrays
// The second member is that of the structure before.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct pair {
  int first, second;
};

int main(void) {
  struct pair a[1000];
  a[0].first = a[0].second = 0;
  for (int i = 1; i < 1000; i++) {
    a[i].first = __VERIFIER_nondet_int();
    a[i].second = a[i - 1].first;
  }
  for (int i = 0; i < 1000; i++)
    if (a[i].first != a[i].second)
      reach_error();
  return 0;
}
