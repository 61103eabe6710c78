// expect: true
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  int count = 0;
  for (int i = 0; i < 8; i++)
    if (x & (1 << i))
      count++;
  check(count >= 0 && count <= 8);
  if (x == 255)
    check(count == 8);
  return 0;
}
