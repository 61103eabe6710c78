// expect: false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// -1 compared with an unsigned int is large.
int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned int limit = 10;
  if (x == -1) {
    if (x < limit)
      return 0;
    reach_error(); // violation
  }
  return 0;
}
