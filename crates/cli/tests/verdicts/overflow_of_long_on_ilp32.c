// expect: false(no-overflow) property: no-overflow model: ILP32

int main(void) {
  long x = 2147483647L;
  return x + 1 > 0; // violation
}
