// expect: false(no-overflow) property: no-overflow

int main(void) {
  int x = 50000;
  long long wide = (long long)x * x;
  if (wide != 2500000000LL)
    return 1;
  return x * x; // violation
}
