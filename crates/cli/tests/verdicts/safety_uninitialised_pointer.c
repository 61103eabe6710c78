// expect: false(valid-deref) property: valid-memsafety

// Not to be null does not make a pointer valid.
int main(void) {
  int *p;
  if (p) {
    *p = 1; // violation
  }
  return 0;
}
