// expect: false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned char u = (unsigned char)x;
  if (x > 255 && u == 7)
    reach_error(); // violation
  return 0;
}
