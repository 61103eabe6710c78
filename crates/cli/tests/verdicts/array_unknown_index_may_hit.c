// expect: false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int a[4] = {0, 0, 0, 0};
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3)
    return 0;
  a[i] = 1;
  if (a[2] == 1)
    reach_error(); // violation
  return 0;
}
