// expect: true config: predicate set: block-ends=bottlenecks
// Only some ways come by the call: inside of it nothing is cut, and behind it all ways meet again.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int mode, count, last;
static void step(int on) {
  if (on) mode = 1; else mode = 2;
  if (mode == 1) last = 1;
  if (mode == 2) last = 2;
  if (last == 1 && mode != 1) reach_error();
  if (last == 2 && mode != 2) reach_error();
  for (int i = 0; i < 3; i++) {
    if (mode == 1) count = 1;
    if (mode == 2) count = 2;
  }
}
int main(void) {
  while (1) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a > 5) {
      if (b > 5) step(1);
    } else if (a < -5) {
      step(0);
    }
    if (a == 3) mode = last;
    if (a == 4) count = last;
    if (b == 3) { mode = 1; last = 1; count = 1; }
    if (b == 4) { mode = 2; last = 2; count = 2; }
    if (b == 5) { mode = 0; last = 0; count = 0; }
    if (a == b) { if (mode != 0 && mode != last) reach_error(); }
    if (count != last) reach_error();
    if (mode != last) reach_error();
  }
}
