// expect: true also: value,value-cegar,interval,bam-value-cegar,bam-interval,expl,newton-expl,value-interval,value-interval-cegar,value-bdd,bam-symbolic-cegar
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int next(void) {
  static int counter = 5;
  return counter++;
}
int main(void) {
  check(next() == 5);
  check(next() == 6);
  {
    static int counter;
    check(counter == 0);
    counter = 9;
  }
  check(next() == 7);
  return 0;
}
