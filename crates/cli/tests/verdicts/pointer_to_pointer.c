// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

void set(int **slot, int *value) {
  *slot = value;
}
int main(void) {
  int a = 1, b = 2;
  int *p = &a;
  int **pp = &p;
  **pp = 5;
  check(a == 5);
  set(&p, &b);
  check(*p == 2 && **pp == 2);
  *p = 9;
  check(b == 9 && a == 5);
  return 0;
}
