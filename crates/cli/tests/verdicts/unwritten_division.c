// expect: false(no-uninitialised-read) property: no-uninitialised-read
int main(void) {
  unsigned x;
  unsigned y = 10 / x; // violation
  return 0;
}
