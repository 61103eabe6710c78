// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  check((int)2.9 == 2 && (int)-2.9 == -2);
  check((unsigned char)200.7 == 200);
  float f = 123456789;
  check(f == 123456792.0f);
  long long big = 9007199254740993LL;
  check((long long)(double)big == 9007199254740992LL);
  check((double)(unsigned int)-1 == 4294967295.0);
  return 0;
}
