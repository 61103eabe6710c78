int main(void) {
  int a[4] = {1, 2, 3, 4};
  int *p = a;
  return p[-1];
}
