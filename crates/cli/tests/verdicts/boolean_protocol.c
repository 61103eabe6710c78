// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int locked;
void lock(void) {
  check(!locked);
  locked = 1;
}
void unlock(void) {
  check(locked);
  locked = 0;
}
int main(void) {
  int flag = __VERIFIER_nondet_int();
  if (flag)
    lock();
  int work = flag * 0 + 5;
  if (flag)
    unlock();
  return work;
}
