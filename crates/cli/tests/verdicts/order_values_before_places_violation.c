// expect: false(unreach-call)
extern void reach_error(void);
int order, a[4];
int f(int x) { order = order * 10 + x; return x; }
int main(void) {
  a[f(1)] = a[f(2)];
  if (order == 21) reach_error(); // violation
  return 0;
}
