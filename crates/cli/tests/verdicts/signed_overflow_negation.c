// expect: false(no-overflow) property: no-overflow

int main(void) {
  int x = -2147483647;
  x = x - 1;
  x = -x; // violation
  return x;
}
