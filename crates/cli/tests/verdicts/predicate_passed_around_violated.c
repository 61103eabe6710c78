// expect: false(unreach-call) config: predicate
// The value comes back to where it began, after three rounds.
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
    if (second == one) reach_error();
  }
}
