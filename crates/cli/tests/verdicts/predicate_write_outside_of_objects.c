// expect: unknown config: predicate
// A write through a pointer of which nothing is known: that it misses the flag is not shown.
extern int *choose(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int flag = 0;
int *where;

int main(void) {
  int *keep = &flag;
  where = choose();
  while (__VERIFIER_nondet_int()) {
    *where = 5;
    if (*keep == 5)
      reach_error();
  }
  return 0;
}
