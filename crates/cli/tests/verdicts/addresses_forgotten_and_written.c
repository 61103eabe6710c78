// expect: false(unreach-call)
// property: unreach-call
// config: value-cegar
// also: symbolic-cegar
// The write through the pointer reaches the lock.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int first = 1, second = 1;

int main(void) {
  int *pointer = &second;
  for (int i = 0; i < 3; i++) {
    if (__VERIFIER_nondet_int()) pointer = &first;
    *pointer = 2;
    if (first != 1)
      reach_error(); // violation
  }
  return 0;
}
