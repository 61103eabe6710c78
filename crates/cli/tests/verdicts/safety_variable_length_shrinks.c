// expect: false(valid-deref) property: valid-memsafety
int main(void) {
  for (int i = 0; i < 4; i++) {
    int a[4 - i];
    a[1] = 1; // violation
  }
  return 0;
}
