// expect: unknown | false(unreach-call) config: arrays
// two answers: watched cells are for proofs; they must not prove this
// A pointer of the whole program is null before it is set.
extern void reach_error(void);
static int *p;
int main(void) {
  int a[4];
  a[0] = 1;
  if (p == 0) reach_error();
  p = a;
  return p[0];
}
