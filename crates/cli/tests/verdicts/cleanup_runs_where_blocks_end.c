// expect: true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int order;
static void end(int *p) { order = order * 10 + *p; }
static int f(int k) {
  int a __attribute__((cleanup(end))) = 1;
  {
    int b __attribute__((cleanup(end))) = 2, c __attribute__((cleanup(end))) = 3;
    if (k == 1) return b;
    if (k == 2) goto out;
  }
  for (int i = 0; i < 2; i++) {
    int d __attribute__((cleanup(end))) = 4;
    if (i == 1) break;
    d = 5;
  }
  a = 9;
out:
  return k;
}
int main(void) {
  int k = __VERIFIER_nondet_int();
  int r = f(k);
  if (r != (k == 1 ? 2 : k) || order != (k == 1 || k == 2 ? 321 : 32549)) reach_error();
  return 0;
}
