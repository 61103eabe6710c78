// expect: true property: no-uninitialised-read
static void get(int *p) { *p = 3; }
int main(void) {
  int x;
  get(&x);
  return x > 2 ? 1 : 0;
}
