// expect: true config: arrays
// Copies: contents of several arrays at one offset are related.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[1000], b[1000], i, step = __VERIFIER_nondet_int();
  for (i = 0; i < 1000; i++)
    a[i] = 42;
  for (i = 0; i < 1000; i++)
    b[i] = a[i];
  for (i = 0; i < 1000; i++)
    b[i] = b[i] + step;
  for (i = 0; i < 1000; i++)
    if (b[i] != 42 + step)
      reach_error();
  return 0;
}
