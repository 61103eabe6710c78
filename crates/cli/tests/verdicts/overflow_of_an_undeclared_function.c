// expect: unknown property: no-overflow
int main(void) {
  int i = undeclared();
  i++;
  return 0;
}
