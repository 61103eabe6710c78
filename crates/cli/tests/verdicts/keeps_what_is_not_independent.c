// expect: true config: symbolic set: forget-independent=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

// Twice an input is even, and a value used twice is one value.
int main(void) {
  unsigned s = __VERIFIER_nondet_uint(), x = 2u * s, a = s + 1u, b = s + 2u;
  for (int i = 0; i < 3; i++) {
    if (x % 2u == 1u)
      reach_error();
    if (b - a != 1u)
      reach_error();
  }
  return 0;
}
