// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

void fill(int a[10], int value) {
  a[2] = value;
  a = 0;
}
int main(void) {
  int data[3] = {1, 2, 3};
  fill(data, 9);
  check(data[2] == 9 && data[0] == 1);
  return 0;
}
