// expect: false(no-uninitialised-read) property: no-uninitialised-read
static int twice(int x) { return 2 * x; }
int main(void) {
  int x;
  twice(x); // violation
  return 0;
}
