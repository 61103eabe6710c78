// expect: false(valid-deref) property: valid-memsafety
extern int __VERIFIER_nondet_int(void);
static void g(void) {}
int main(void) {
  void (*f)(void);
  if (__VERIFIER_nondet_int()) f = g;
  f(); // violation
  return 0;
}
