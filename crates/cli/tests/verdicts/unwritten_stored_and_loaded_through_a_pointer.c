// expect: false(no-uninitialised-read) property: no-uninitialised-read
int main(void) {
  int x, y = 0;
  int *p = &y;
  *p = x;
  if (y) // violation
    return 1;
  return 0;
}
