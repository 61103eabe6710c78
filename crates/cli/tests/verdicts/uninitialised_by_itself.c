// expect: false(unreach-call)
// `int x = x;` is a way to say that the variable is not initialised.
extern void reach_error(void);
int main(void) {
  int x = x;
  if (x != x) return 1;
  if (x == 5) reach_error(); // violation
  return 0;
}
