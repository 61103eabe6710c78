// expect: true config: predicate also: bam-predicate also: value-predicate also: symbolic-cegar
// A computed jump goes to one of two labels; which one, a flag tells.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  void *next = &&even;
  int odd = 0;
again:
  if (!__VERIFIER_nondet_int()) return 0;
  goto *next;
even:
  if (odd) reach_error();
  odd = 1;
  next = &&uneven;
  goto again;
uneven:
  if (!odd) reach_error();
  odd = 0;
  next = &&even;
  goto again;
}
