// expect: false(valid-deref) property: valid-memsafety
int main(void) {
  int *p;
  void *to = &&out;
  {
    int x = 3;
    p = &x;
    goto *to;
  }
out:
  return *p; // violation
}
