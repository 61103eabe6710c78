// expect: false(unreach-call) config: symbolic also: auto
// One of the labels that share an edge is the bad one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  switch (n) {
  case 1: case 2: case 4: case 8: case 16:
    if (n == 8) reach_error(); // violation
    break;
  }
  return 0;
}
