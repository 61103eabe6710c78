// expect: true also: recursion
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int is_odd(unsigned int n);
int is_even(unsigned int n) {
  return n == 0 ? 1 : is_odd(n - 1);
}
int is_odd(unsigned int n) {
  return n == 0 ? 0 : is_even(n - 1);
}
int main(void) {
  check(is_even(10));
  check(!is_even(7));
  return 0;
}
