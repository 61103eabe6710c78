// expect: unknown config: fuzz time: 1s

// Only runs that divide by zero before would get to the error: that is no violation of what is asked.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 100 / x;
  if (x == 0)
    reach_error();
  return y;
}
