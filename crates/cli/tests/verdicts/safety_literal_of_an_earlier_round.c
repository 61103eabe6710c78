// expect: false(valid-deref) property: valid-memsafety
// The body of a loop is a block, and each round of it has a literal of its own.
int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    if (p) return *p; // violation
    p = &(int){i};
  }
  return 0;
}
