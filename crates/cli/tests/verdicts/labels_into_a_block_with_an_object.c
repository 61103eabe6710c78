// expect: true
// A computed jump into a block: its objects are there.
extern void reach_error(void);
int main(void) {
  void *to = &&inside;
  int sum = 0;
  goto *to;
  {
    int a[2];
  inside:
    a[0] = 3;
    a[1] = 4;
    for (int i = 0; i < 2; i++) sum += a[i];
  }
  if (sum != 7) reach_error();
  return 0;
}
