// expect: false(valid-deref) property: valid-memsafety
int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    int x = 3;
    if (p) return *p; // violation
    p = &x;
    continue;
  }
  return 0;
}
