// expect: true
extern void reach_error(void);
int main(void) {
  int n = 3;
  typedef int row[n];
  int first[n];
  n = 7;
  row later;
  __typeof__(first) same;
  int second[n];
  if (sizeof later != 3 * sizeof(int) || sizeof same != sizeof later || sizeof first != sizeof later || sizeof second != 7 * sizeof(int))
    reach_error();
  for (int i = 1; i < 4; i++) {
    char each[i];
    if (sizeof each != i)
      reach_error();
  }
  return 0;
}
