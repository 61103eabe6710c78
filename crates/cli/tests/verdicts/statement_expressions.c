// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

#define max(a, b) ({ int x_ = (a); int y_ = (b); x_ > y_ ? x_ : y_; })
int main(void) {
  int n = 3;
  int m = max(n++, 2);
  check(m == 3 && n == 4);
  return 0;
}
