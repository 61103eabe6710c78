// expect: unknown config: k-induction-paths
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int *from_outside(void);
int shared;
int main(void) {
  shared = 1;
  while (__VERIFIER_nondet_int()) *from_outside() = 2;
  if (shared != 1) reach_error();
  return 0;
}
