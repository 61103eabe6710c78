// expect: false(valid-deref) property: valid-memsafety
// A compound literal lives until the end of the block around it.
int main(void) {
  int *p;
  { p = (int[]){1, 2, 3}; }
  return *p; // violation
}
