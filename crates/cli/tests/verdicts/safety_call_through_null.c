// expect: false(valid-deref) property: valid-memsafety
int main(void) {
  void (*f)(void) = 0;
  f(); // violation
  return 0;
}
