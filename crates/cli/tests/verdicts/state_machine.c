// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int state = 0;
  while (1) {
    int input = __VERIFIER_nondet_int();
    if (state == 0 && input == 1)
      state = 1;
    else if (state == 1 && input == 2)
      state = 2;
    else if (state == 2 && input == 3)
      state = 0;
    else if (input == 9)
      break;
    check(state >= 0 && state <= 2);
  }
  return 0;
}
