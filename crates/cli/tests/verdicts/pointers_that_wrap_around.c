// expect: unknown | false(unreach-call) config: symbolic
// two answers: whether a sum of an address and a huge number wraps around depends on where the object lies
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  char buffer[8];
  unsigned long length = __VERIFIER_nondet_ulong();
  if ((unsigned long)buffer + length < (unsigned long)buffer) reach_error();
  return 0;
}
