// expect: true property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *p, i = 0;
  void *to[] = {&&again, &&done};
  {
    int x = 3;
    p = &x;
  again:
    x += *p;
    i++;
    goto *to[i > 2];
  done:
    i = *p;
  }
  return i - 24;
}
