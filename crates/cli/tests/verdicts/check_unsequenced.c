// expect: true property: no-unsequenced
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = __VERIFIER_nondet_int() & 7, a[8] = {0};
  a[i & 7] = i; i++; i = (i++, i + 1); i ? i++ : i--;
  return a[i & 7];
}
