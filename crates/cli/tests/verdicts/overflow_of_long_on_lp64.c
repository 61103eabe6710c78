// expect: true property: no-overflow model: LP64

int main(void) {
  long x = 2147483647L;
  return x + 1 > 0;
}
