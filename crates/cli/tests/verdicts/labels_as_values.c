// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  static void *table[] = {&&first, &&second, &&third};
  int step = 0, log = 0;
  goto *table[step];
first:
  log = log * 10 + 1;
  step = 2;
  goto *table[step];
second:
  log = log * 10 + 2;
  goto done;
third:
  log = log * 10 + 3;
  step = 1;
  goto *table[step];
done:
  check(log == 132);
  return 0;
}
