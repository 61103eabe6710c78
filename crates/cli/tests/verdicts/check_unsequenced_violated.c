// expect: false(no-unsequenced) property: no-unsequenced
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = __VERIFIER_nondet_int() & 7, a[8] = {0};
  a[i] = i++; // violation
  return a[i & 7];
}
