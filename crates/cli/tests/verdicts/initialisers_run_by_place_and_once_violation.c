// expect: false(unreach-call)
extern void reach_error(void);
int calls;
int f(void) { return ++calls; }
int main(void) {
  int a[3] = {[0 ... 2] = f()};
  if (calls == 1 && a[2] == 1) reach_error(); // violation
  return 0;
}
