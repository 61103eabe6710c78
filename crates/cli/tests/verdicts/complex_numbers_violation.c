// expect: false(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  _Complex int z = __VERIFIER_nondet_int() + 2i;
  z = z * z;
  if (__real__ z == 21 && __imag__ z < 0) reach_error(); // violation
  return 0;
}
