// expect: false(no-uninitialised-read) property: no-uninitialised-read
int a[4] = {1, 2, 3, 4};
int main(void) {
  int i;
  int x = a[i & 3]; // violation
  return x;
}
