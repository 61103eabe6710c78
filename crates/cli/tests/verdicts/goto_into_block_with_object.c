// expect: true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int() & 1;
  goto inside;
  {
    int values[3];
  inside:
    values[0] = 1;
    values[n + 1] = 2;
    if (values[0] + values[n + 1] != 3)
      reach_error();
  }
  switch (n) {
    int more[2];
  case 0:
    more[n] = 4;
  case 1:
    more[1] = 5;
    if (more[1] != 5)
      reach_error();
  }
  return 0;
}
