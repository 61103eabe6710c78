// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

void countdown(int n, int *total) {
  int mine = n;
  if (n > 0)
    countdown(n - 1, &mine);
  *total += mine;
}
int main(void) {
  int total = 0;
  countdown(3, &total);
  check(total == 6);
  return 0;
}
