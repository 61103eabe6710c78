// expect: false(unreach-call) config: fuzz

// A lock with eight digits that opens only one digit after the other: each right one is a new way, and the search goes on from there.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int state = 0, wrong = 0;
static void digit(int input) {
  if (state == 0 && input == 4)
    state = 1;
  else if (state == 1 && input == 17)
    state = 2;
  else if (state == 2 && input == -3)
    state = 3;
  else if (state == 3 && input == 4)
    state = 4;
  else if (state == 4 && input == 1000)
    state = 5;
  else if (state == 5 && input == 8)
    state = 6;
  else if (state == 6 && input == 17)
    state = 7;
  else if (state == 7 && input == 23)
    reach_error(); // violation
  else
    wrong = wrong + 1 > 3 ? 3 : wrong + 1;
  if (wrong == 3)
    state = 0, wrong = 0;
}
int main(void) {
  while (1) {
    int input = __VERIFIER_nondet_int();
    digit(input);
  }
}
