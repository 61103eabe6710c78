// expect: true property: no-index-out-of-bounds
int m[2][3];
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += m[0][i];
  return sum;
}
