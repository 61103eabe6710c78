// expect: true config: symbolic set: merge=constraints
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  if (x > 7) {
    y = 1;
    y = 0;
  }
  if (x * x == 3 && y != 0)
    reach_error();
  if (y == 1)
    reach_error();
  return 0;
}
