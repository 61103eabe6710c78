// expect: false(unreach-call) config: value-interval also: value-interval-cegar,value-bdd
// What values know of `last` before it is written must not be held against its bounds afterwards.
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) {}
unsigned last;

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x == 0)
    abort();
  last = x;
  reach_error(); // violation
  return last;
}
