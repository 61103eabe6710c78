// expect: false(unreach-call) config: predicate also: predicate-boolean
// Nothing is chosen after the start: the violation is some hundred rounds behind it, and a run gets there.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
unsigned char rounds;
_Bool mode;
int main(void) {
  unsigned char key = __VERIFIER_nondet_uchar();
  unsigned char last = 0;
  while (1) {
    if (mode) rounds++;
    mode = !mode;
    if (rounds < last && key != 3) reach_error();
    last = rounds;
  }
}
