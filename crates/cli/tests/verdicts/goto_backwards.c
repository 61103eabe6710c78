// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int i = 0, sum = 0;
again:
  sum += i;
  i++;
  if (i < 5)
    goto again;
  check(sum == 10);
  return 0;
}
