// expect: true config: predicate also: predicate-boolean
// Each way through the loop sets another flag: its ways back are one block, and 2^10 combinations of flags one region.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, sum = 0;
  while (1) {
    if (!a && __VERIFIER_nondet_int()) { a = 1; continue; }
    if (!b && __VERIFIER_nondet_int()) { b = 1; continue; }
    if (!c && __VERIFIER_nondet_int()) { c = 1; continue; }
    if (!d && __VERIFIER_nondet_int()) { d = 1; continue; }
    if (!e && __VERIFIER_nondet_int()) { e = 1; continue; }
    if (!f && __VERIFIER_nondet_int()) { f = 1; continue; }
    if (!g && __VERIFIER_nondet_int()) { g = 1; continue; }
    if (!h && __VERIFIER_nondet_int()) { h = 1; continue; }
    if (!i && a && c) { i = 1; continue; }
    if (!j && i && b) { j = 1; continue; }
    if (!__VERIFIER_nondet_int()) break;
  }
  if (i && !(a && c)) reach_error();
  if (j && !(a && b && c)) reach_error();
  return 0;
}
