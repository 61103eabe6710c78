// expect: false(no-uninitialised-read) property: no-uninitialised-read
int main(void) {
  int a[5], s = 0;
  for (int i = 1; i < 5; i++)
    a[i] = i;
  for (int i = 0; i < 5; i++)
    if (a[i] > 2) // violation
      s++;
  return s;
}
