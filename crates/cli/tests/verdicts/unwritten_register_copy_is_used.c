// expect: false(no-uninitialised-read) property: no-uninitialised-read
int main(void) {
  unsigned x, y;
  y = x;
  unsigned z = y * 2;
  if (z) // violation
    return 1;
  return 0;
}
