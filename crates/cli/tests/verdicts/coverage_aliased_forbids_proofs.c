// expect: unknown config: symbolic set: coverage=aliased
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 5)
    if (x < 3)
      reach_error();
  return 0;
}
