// expect: false(valid-deref) property: valid-memsafety

int *escape(void) {
  int local = 5;
  int *p = &local;
  return p;
}
int main(void) {
  int *p = escape();
  return *p; // violation
}
