// expect: true property: no-uninitialised-read
extern int __VERIFIER_nondet_int(void);
static int log_it(int x) {
  if (x > 0)
    return 1;
}
int main(void) {
  log_it(__VERIFIER_nondet_int());
  return 0;
}
