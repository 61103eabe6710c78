// expect: false(unreach-call)
extern void reach_error(void);
static void found(int code) {
  if (code == 7)
    reach_error(); // violation
}
/* The pointer's type names no parameter that the function has; on every machine the function is entered all the same. */
int main(void) {
  void (*handler)(long, int) = (void (*)(long, int))found;
  handler(7, 1);
  return 0;
}
