// expect: false(no-uninitialised-read) property: no-uninitialised-read
extern int __VERIFIER_nondet_int(void);
static int sign(int x) {
  if (x > 0)
    return 1;
  if (x < 0)
    return -1;
}
int main(void) {
  return sign(__VERIFIER_nondet_int()) > 0 ? 1 : 0; // violation
}
