// expect: false(unreach-call) | unknown config: symbolic set: merge=constraints
// two answers: a merged path may not be confirmed, but must not be lost
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  if (x > 7)
    y = 0;
  if (x == 3)
    reach_error(); // violation
  return y;
}
