// expect: false(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int total = __VERIFIER_nondet_int();
  void step(void) { total = total ^ 5; }
  step();
  if (total == 99) reach_error(); // violation
  return 0;
}
