// expect: false(no-uninitialised-read) property: no-uninitialised-read
static int one(void) { return 1; }
int main(void) {
  int (*f)(void);
  int c = 0;
  if (c)
    f = one;
  return f(); // violation
}
