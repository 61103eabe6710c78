// expect: true also: interval,bam-interval,predicate,predicate-cartesian,predicate-newton,pred,expl,newton-expl,value-interval,value-interval-cegar,value-bdd,bam-symbolic-cegar,value-predicate
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int g;
int bump(void) {
  g = g + 1;
  return g;
}
int main(void) {
  int x = bump() + 10 * bump();
  // Either order is allowed; both give one of these.
  check(x == 21 || x == 12);
  check(g == 2);
  return 0;
}
