// expect: false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = 0, y = 0;
  int *p = __VERIFIER_nondet_int() ? &x : &y;
  *p = 1;
  if (x == 1 && y == 0)
    reach_error(); // violation
  return 0;
}
