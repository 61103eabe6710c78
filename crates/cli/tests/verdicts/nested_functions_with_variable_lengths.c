// expect: unknown
extern void reach_error(void);
static void outer(int n) {
  void inner(int a[2][n++]) { (void)a; }
  int a[2][n];
  inner(a);
  if (n != 2) reach_error();
}
int main(void) { outer(1); return 0; }
