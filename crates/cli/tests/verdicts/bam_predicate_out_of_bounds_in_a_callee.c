// expect: unknown config: bam-predicate set: block-size=0 set: blocks=both also: predicate
// The callee writes behind the end of its array: nothing is known of memory after it, whatever it names.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int table[2], other[2];
static void fill(int place) {
  int i = 0;
  while (i < 2) i++;
  table[place] = 7;
}
int main(void) {
  other[0] = 1;
  fill(__VERIFIER_nondet_int());
  if (other[0] != 1) reach_error();
  return 0;
}
