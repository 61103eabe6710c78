// expect: unknown | false(unreach-call) config: k-induction-paths
// two answers: induction need not find the violation, but must not prove its absence
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int g;
static void change(int *where) { *where = *where + 1; }
int main(void) {
  int x = 0, *p = &x;
  while (__VERIFIER_nondet_int()) {
    change(p);
    if (g > 3)
      reach_error(); // violation
    if (x == 7)
      p = &g;
  }
  return 0;
}
