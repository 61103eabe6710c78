// expect: true model: LP64,ILP32
// Nothing declares them, and their results are no int.
extern void reach_error(void);
int main(void) {
  volatile double d = -1.5;
  volatile long long v = -5000000000LL;
  int *p = alloca(8);
  *p = 3;
  if (fabs(d) != 1.5 || copysign(2.0, d) != -2.0 || llabs(v) != 5000000000LL || *p != 3) reach_error();
  return 0;
}
