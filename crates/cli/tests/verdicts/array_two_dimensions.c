// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  int sum = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      sum += m[i][j] * (i + 1);
  check(sum == 36);
  check(*(*(m + 1) + 2) == 6);
  check(&m[1][0] - &m[0][0] == 3);
  check(sizeof(m[0]) == 12);
  return 0;
}
