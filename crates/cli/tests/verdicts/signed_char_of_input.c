// expect: false(unreach-call)
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

int main(void) {
  char c = __VERIFIER_nondet_char();
  int index = c;
  if (index < 0 && index == -128)
    reach_error(); // violation
  return 0;
}
