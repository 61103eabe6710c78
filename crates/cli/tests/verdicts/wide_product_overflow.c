// expect: false(no-overflow) property: no-overflow
int main(void) {
  __int128 x = (__int128)1 << 100;
  x = x * 1000000000; // violation
  return 0;
}
