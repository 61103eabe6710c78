// expect: false(no-unsequenced) property: no-unsequenced
static int f(int x) { return x; }
int main(void) {
  int i = 1;
  i = i++ + ++i; // violation
  return i;
}
