// A protocol: lock and unlock must alternate. It does, whatever the inputs are.
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
    // ... the work ...
    if (request > 0)
      unlock();
  }
  return 0;
}
