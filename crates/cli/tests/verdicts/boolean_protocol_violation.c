// expect: false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int locked;
void lock(void) {
  if (locked)
    reach_error(); // violation
  locked = 1;
}
int main(void) {
  lock();
  if (__VERIFIER_nondet_int() > 0)
    lock();
  return 0;
}
