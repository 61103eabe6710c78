// expect: false(unreach-call)
extern void reach_error(void);
int g = 3;
int f(void) { g = 8; return 1; }
int main(void) {
  int x = g << f();
  if (x == 6) reach_error(); // violation
  return 0;
}
