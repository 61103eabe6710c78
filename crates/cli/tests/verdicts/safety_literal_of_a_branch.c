// expect: false(valid-deref) property: valid-memsafety
// What depends on a condition is a block, with braces or without.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = 3, *p = &n;
  if (__VERIFIER_nondet_int()) p = (int[]){1};
  return *p; // violation
}
