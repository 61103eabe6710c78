// expect: false(no-uninitialised-read) property: no-uninitialised-read
extern int __VERIFIER_nondet_int(void);
static int get(int *p) {
  int c = __VERIFIER_nondet_int();
  if (c < 0)
    return -1;
  *p = c;
  return 0;
}
int main(void) {
  int x;
  get(&x);
  return x > 2 ? 1 : 0; // violation
}
