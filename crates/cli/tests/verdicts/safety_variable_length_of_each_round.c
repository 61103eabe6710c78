// expect: true property: valid-memsafety
int main(void) {
  for (int i = 0; i < 4; i++) {
    int a[i + 1];
    a[i] = 1;
  }
  return 0;
}
