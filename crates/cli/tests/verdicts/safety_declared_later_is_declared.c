// expect: true property: valid-memsafety
// The definition counts, wherever it is.
int main(void) {
  int a[4];
  a[later()] = 1;
  return 0;
}
int later() { return 3; }
