// expect: true config: predicate
// Two values are passed around; which of them a variable holds, and which is larger, is all that matters.
extern signed char __VERIFIER_nondet_char(void);
extern void reach_error(void);
signed char none = -1;
signed char one, two, first, second, box;
_Bool turn;
int main(void) {
  one = __VERIFIER_nondet_char();
  two = __VERIFIER_nondet_char();
  if (one < 0 || two < 0 || one == two) return 0;
  first = one;
  second = two;
  box = none;
  while (1) {
    if (turn) {
      if (box != none && box > second) second = box;
      box = none;
      turn = 0;
    } else {
      box = first;
      turn = 1;
    }
    if (second < two) reach_error();
    if (second != one && second != two) reach_error();
  }
}
