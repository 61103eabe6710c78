// expect: false(valid-deref) property: valid-memsafety
int main(void) {
  int i = 0, *p = 0;
  static void *to[] = {&&first, &&second};
  goto *to[i];
  {
  first:;
    int x = i;
    p = &x;
    i++;
    goto *to[i];
  }
second:
  return *p; // violation
}
