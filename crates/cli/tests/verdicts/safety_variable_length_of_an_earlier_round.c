// expect: false(valid-deref) property: valid-memsafety
int main(void) {
  int n = 3, *p = 0;
  for (int i = 0; i < 2; i++) {
    int a[n];
    if (p) return *p; // violation
    a[0] = 1;
    p = a;
  }
  return 0;
}
