// expect: false(unreach-call) config: symbolic set: order=random-path
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int state = 0;
  for (int i = 0; i < 6; i++) {
    int in = __VERIFIER_nondet_int();
    if (state == 0 && in == 3)
      state = 1;
    else if (state == 1 && in == 1)
      state = 2;
    else if (state == 2 && in == 4)
      reach_error(); // violation
  }
  return 0;
}
