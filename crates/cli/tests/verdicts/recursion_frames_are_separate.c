// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int depth_sum(int n) {
  int local = n;
  int below = n > 0 ? depth_sum(n - 1) : 0;
  check(local == n);
  return local + below;
}
int main(void) {
  check(depth_sum(4) == 10);
  return 0;
}
