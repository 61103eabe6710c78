// expect: false(valid-deref) property: valid-memsafety
int main(void) {
  int x = 3;
  void (*f)(void) = (void (*)(void))&x;
  f(); // violation
  return 0;
}
