// The same protocol with a mistake: a request that changes in between is locked twice.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int locked = 0;

void lock(void) {
  if (locked)
    reach_error();
  locked = 1;
}

void unlock(void) {
  if (!locked)
    reach_error();
  locked = 0;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    int request = __VERIFIER_nondet_int();
    if (request > 0)
      lock();
    if (request == 17)
      request = 0; // oops
    if (request > 0)
      unlock();
  }
  return 0;
}
