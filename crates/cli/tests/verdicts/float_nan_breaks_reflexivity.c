// expect: false(unreach-call)
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void) {
  float x = __VERIFIER_nondet_float();
  if (x != x)
    reach_error(); // violation
  return 0;
}
