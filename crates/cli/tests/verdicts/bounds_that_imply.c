// expect: false(unreach-call) config: symbolic set: simplify-constraints=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > -8)
    if (x > 2)
      if (x != 1)
        if (x < 100)
          if (x < 4)
            reach_error(); // violation
  return 0;
}
