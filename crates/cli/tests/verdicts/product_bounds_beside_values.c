// expect: true config: value-interval also: value-interval-cegar
// Neither values nor bounds alone prove it: what is in memory is known to values, and between which bounds the input is to bounds.
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) {}

int main(void) {
  unsigned table[4];
  for (int i = 0; i < 4; i++)
    table[i] = (unsigned)i * 10;
  unsigned x = __VERIFIER_nondet_uint();
  if (x > 5)
    abort();
  unsigned y = table[2];
  if (x + y > 25)
    reach_error();
  return 0;
}
