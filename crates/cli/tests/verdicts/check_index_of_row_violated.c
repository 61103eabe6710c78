// expect: false(no-index-out-of-bounds) property: no-index-out-of-bounds
int m[2][3];
int main(void) {
  int sum = 0;
  for (int i = 0; i < 6; i++) sum += m[0][i]; // violation
  return sum;
}
