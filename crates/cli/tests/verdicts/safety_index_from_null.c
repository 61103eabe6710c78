// expect: false(valid-deref) property: valid-memsafety

extern int __VERIFIER_nondet_int(void);
int *table;
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n >= 0 && n < 4) {
    table[n + 1] = n; // violation
  }
  return 0;
}
