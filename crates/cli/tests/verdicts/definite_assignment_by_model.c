// expect: true config: symbolic set: definite-assignments=model
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

// Two bounds leave one value; with it the loop has an end.
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), n = 0;
  if (x < 5u || x > 5u)
    return 0;
  while (n < x)
    n++;
  if (n != 5u)
    reach_error();
  return 0;
}
