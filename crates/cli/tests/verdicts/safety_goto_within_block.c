// expect: true property: valid-memsafety
// Jumps inside a block, and out of inner blocks, leave the outer variables alone.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int total = 0;
  int *p = &total;
  {
    int x = 1, n = 0;
    int *q = &x;
  again:
    *q = *q + 1;
    if (++n < 3)
      goto again;
    {
      int y = 2;
      q = &y;
      *p = *q;
      if (__VERIFIER_nondet_int())
        goto out;
    }
    *p = x;
  }
out:
  return *p;
}
