// expect: unknown property: valid-memsafety
int main(void) {
  int a[4];
  a[undeclared()] = 1;
  return 0;
}
