// expect: false(no-uninitialised-read) property: no-uninitialised-read
int main(void) {
  int x = x;
  if (x > 0) // violation
    return 1;
  return 0;
}
