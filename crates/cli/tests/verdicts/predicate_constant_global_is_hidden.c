// expect: false(unreach-call) config: predicate also: value-predicate also: predicate-boolean
// A global that no assignment names is written through a pointer: it is not the number that it began with.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int limit = 3;
int main(void) {
  int *p = &limit;
  int x = 0;
  while (__VERIFIER_nondet_int()) {
    *p = *p + 1;
    if (limit > 4) reach_error();
    x++;
  }
  return x;
}
