// Integer types, promotions, conversions, wrap, shifts, division.
extern void __VERIFIER_error(void);
#define CHECK(c) do { if (!(c)) __VERIFIER_error(); } while (0)
enum color { RED, GREEN = 7, BLUE, NEGATIVE = -3 };
unsigned char uc = 255; signed char sc = -1; short sh = -32768; unsigned short us = 65535;
int i = -7; unsigned u = 7; long long ll = -9000000000LL; unsigned long long ull = 18446744073709551615ULL;
_Bool flag;
int narrow(signed char c) { return c; }
int main(void) {
  CHECK(uc + 1 == 256);
  uc++; CHECK(uc == 0); uc--; CHECK(uc == 255);
  CHECK(sc < 0 && (unsigned char)sc == 255);
  CHECK((short)us == -1);
  CHECK(i / 2 == -3 && i % 2 == -1 && -i / -2 == -3);
  CHECK((unsigned)i > u);
  CHECK(i < (int)u);
  CHECK((i >> 1) == -4 && ((unsigned)i >> 28) == 15);
  CHECK(1u << 31 == 2147483648u);
  CHECK(sh - 1 == -32769);
  sh--; CHECK(sh == 32767);
  CHECK(ll / 1000 == -9000000LL && (int)ll == -410065408);
  CHECK(ull + 1 == 0 && (unsigned)ull == 4294967295u);
  CHECK(narrow(300) == 44);
  flag = 5; CHECK(flag == 1); flag = 0.25; CHECK(flag == 1); flag = 0; CHECK(!flag);
  flag++; CHECK(flag == 1); flag--; CHECK(flag == 0);
  CHECK(BLUE == 8 && NEGATIVE + 3 == RED);
  CHECK((i & 0xF) == 9 && (i | 1) == -7 && (i ^ -1) == 6 && ~i == 6);
  int k = 3; k += k++ * 0 + 2; CHECK(k == 5 || k == 6);
  k = 10; k -= 3; k *= 4; k /= 5; k %= 4; k <<= 3; k >>= 1; k |= 64; k &= ~4; k ^= 3;
  CHECK(k == ((((10 - 3) * 4 / 5 % 4 << 3 >> 1) | 64) & ~4 ^ 3));
  char c = 'a'; c += 1.7; CHECK(c == 'b');
  unsigned char w = 200; w += 100; CHECK(w == 44);
  CHECK(-2147483647 - 1 < 0 && 2147483648u > 0);
  CHECK(sizeof(c + c) == sizeof(int) && sizeof(1LL + 1) == 8);
  CHECK((1 ? -1 : 0u) > 0);
  int a = 1, b = 0, n = 0;
  CHECK((a || ++n) && n == 0); CHECK(!(b && ++n) && n == 0); CHECK((b || ++n) && n == 1);
  n = a, b = 4; CHECK(n == 1 && b == 4);
  CHECK((a ?: 9) == 1 && (n - 1 ?: 9) == 9);
  CHECK(!!i == 1 && !0 == 1);
  CHECK(0x7fffffff + 0u == 2147483647u);
  CHECK('\xff' == -1 && '\377' == -1 && L'\x41' == 65);
  return 0;
}
