// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

// The signed operand becomes unsigned when both have the rank of int or more.
int main(void) {
  unsigned int u = 1;
  int s = -1;
  check(s > u);
  check((unsigned short)1 > (short)-1);
  check(-1L < (long)u);
  check(sizeof(long) == 4 || -1L < u);
  check(s == 4294967295u);
  return 0;
}
