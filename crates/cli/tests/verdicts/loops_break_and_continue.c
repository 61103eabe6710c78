// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++) {
    if (i % 2)
      continue;
    if (i == 8)
      break;
    sum += i;
  }
  check(sum == 12);
  int k = 0;
  do {
    k++;
    if (k == 3)
      continue;
  } while (k < 3);
  check(k == 3);
  while (1) {
    if (++k > 6)
      break;
  }
  check(k == 7);
  return 0;
}
