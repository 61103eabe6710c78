// expect: true property: no-unsequenced
static int f(int x) { return x; }
int main(void) {
  int i = 1;
  i = f(i++);
  return i;
}
