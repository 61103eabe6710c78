// expect: true config: symbolic set: forget-independent=true time: 20s
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

// What the loop computes can be anything in each round, so the rounds are alike.
int main(void) {
  unsigned x = 0, y = 0;
  int lock = 0;
  while (__VERIFIER_nondet_int()) {
    if (lock)
      reach_error();
    x = 3u * __VERIFIER_nondet_uint() + 1u;
    y = __VERIFIER_nondet_uint() ^ 5u;
    lock = 0;
  }
  return x + y;
}
