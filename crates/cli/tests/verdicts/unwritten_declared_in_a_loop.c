// expect: false(no-uninitialised-read) property: no-uninitialised-read
int main(void) {
  int s = 0;
  for (int i = 0; i < 3; i++) {
    int z;
    if (i == 0)
      z = 7;
    if (z == 7) // violation
      s++;
  }
  return s;
}
