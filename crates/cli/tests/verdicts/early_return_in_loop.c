// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int find(const int *a, int n, int wanted) {
  for (int i = 0; i < n; i++)
    if (a[i] == wanted)
      return i;
  return -1;
}
int main(void) {
  int a[4] = {4, 8, 15, 16};
  check(find(a, 4, 15) == 2);
  check(find(a, 4, 5) == -1);
  return 0;
}
