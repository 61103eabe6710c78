// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int classify(int x) {
  int result = 0;
  switch (x) {
  case 1:
    result += 1;
  case 2:
    result += 10;
    break;
  default:
    result = 99;
  case 3:
    result += 100;
  }
  return result;
}
int main(void) {
  check(classify(1) == 11);
  check(classify(2) == 10);
  check(classify(3) == 100);
  check(classify(7) == 199);
  return 0;
}
