// expect: unknown property: valid-memsafety
// What a function returns that nobody declared is an integer in name only.
int main(void) {
  int *p = (int *)undeclared();
  *p = 1;
  return 0;
}
