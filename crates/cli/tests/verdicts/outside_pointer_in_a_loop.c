// expect: false(unreach-call)
// What was known on the first way into a loop is not known in the next round, though the loop begins the function.
extern void reach_error(void);
extern int *get(void);
static void f(int *p) {
  do {
    if (*p == 2) reach_error(); // violation
    *p = *p + 1;
  } while (*p < 4);
}
int main(void) {
  int *p = get();
  if (!p) return 0;
  *p = 1;
  f(p);
  return 0;
}
