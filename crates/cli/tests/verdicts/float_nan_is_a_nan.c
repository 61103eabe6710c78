// expect: true
// Whatever its sign, it is a quiet NaN, and what is none keeps its bits.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
union view { float number; unsigned bits; };
int main(void) {
  float x = __VERIFIER_nondet_float();
  union view v;
  v.number = x - x;
  if (v.number != v.number && (v.bits & 0x7FC00000) != 0x7FC00000) reach_error();
  if (v.number == v.number && (v.bits & 0x7FFFFFFF) != 0) reach_error();
  v.number = 1.5f + 0.25f;
  if (v.bits != 0x3FE00000) reach_error();
  return 0;
}
