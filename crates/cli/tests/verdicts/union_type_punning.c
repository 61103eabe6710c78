// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

union both {
  float f;
  unsigned int bits;
};
int main(void) {
  union both u;
  u.f = 1.0f;
  check(u.bits == 0x3f800000u);
  u.bits = 0xc0000000u;
  check(u.f == -2.0f);
  u.bits |= 0x7f800000u;
  check(u.f != u.f || u.f < 0);
  return 0;
}
