// expect: false(unreach-call)
extern void reach_error(void);
union view { double number; unsigned long long bits; };
int main(void) {
  volatile double large = 1e308;
  union view v;
  v.number = large * 10 - large * 10;
  if ((v.bits & 0xFFFF) != 0) reach_error();
  return 0;
}
