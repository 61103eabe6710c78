// expect: true also: bam-symbolic-cegar,predicate,predicate-cartesian,predicate-newton,pred,value-predicate
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  float x = __VERIFIER_nondet_float();
  if (x >= 0.0f && x <= 10.0f) {
    float y = x + 1.0f;
    check(y >= 1.0f && y <= 11.0f);
  }
  return 0;
}
