// expect: unknown
extern void reach_error(void);
int n;
int f(void) { return ++n; }
int main(void) {
  int a[4];
  void *p = (int (*)[f()])a;
  if (n != 1) reach_error();
  return 0;
}
