// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int i, j;
  for (i = 0; i < 5; i++) {
    for (j = 0; j < 5; j++) {
      if (i * j == 6)
        goto found;
    }
  }
  reach_error();
found:
  check(i == 2 && j == 3);
  return 0;
}
