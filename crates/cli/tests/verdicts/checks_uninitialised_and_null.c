// expect: false(valid-deref) property: valid-memsafety
int main(void) {
  int x, *p = 0;
  if (x) return 1;
  return *p; // violation
}
