// expect: true config: arrays
// Two members of one structure: two offsets as far from each other as the members.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct pair {
  int first, second;
};

int main(void) {
  struct pair a[1000];
  for (int i = 0; i < 1000; i++) {
    a[i].first = __VERIFIER_nondet_int();
    a[i].second = a[i].first;
  }
  for (int i = 0; i < 1000; i++)
    if (a[i].first != a[i].second)
      reach_error();
  return 0;
}
