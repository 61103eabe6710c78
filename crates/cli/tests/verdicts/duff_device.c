// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int count = 0, n = 7;
  switch (n % 4) {
  case 0:
    do {
      count++;
    case 3:
      count++;
    case 2:
      count++;
    case 1:
      count++;
    } while ((n -= 4) > 0);
  }
  check(count == 7);
  return 0;
}
