// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int n = 4;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = i;
  check(sizeof(a) == 16);
  n = 100;
  check(sizeof(a) == 16);
  check(a[3] == 3);
  return 0;
}
