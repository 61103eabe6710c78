// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

// E1 op= E2 computes in the common type and converts back.
int main(void) {
  unsigned char c = 250;
  c += 10;
  check(c == 4);
  int i = 10;
  i *= 1.5;
  check(i == 15);
  i -= 0.5;
  check(i == 14);
  short s = 1;
  s <<= 15;
  check(s == -32768);
  char ch = 'a';
  ch ^= 0x20;
  check(ch == 'A');
  int a[2] = {1, 2}, k = 0;
  a[k++] += 5;
  check(k == 1 && a[0] == 6 && a[1] == 2);
  return 0;
}
