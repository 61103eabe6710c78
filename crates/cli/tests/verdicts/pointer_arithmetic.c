// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int a[5] = {10, 20, 30, 40, 50};
  int *p = a + 1, *q = &a[4];
  check(q - p == 3);
  check(p < q);
  check(*(p + 2) == 40 && p[-1] == 10 && 2 [p] == 40);
  p += 2;
  check(*p == 40);
  check((char *)q - (char *)p == 4);
  int *end = a + 5;
  check(end - a == 5 && end != a);
  return 0;
}
