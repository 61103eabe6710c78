int *dangling(void) {
  int *p;
  {
    int local = 4;
    p = &local;
  }
  return p;
}
int main(void) {
  int *p;
  {
    int inner = 3;
    p = &inner;
  }
  return *p;
}
