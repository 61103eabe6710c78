// expect: false(unreach-call) property: assert
extern int nd_int(void);
extern void sassert(int);
int main(void) {
  int x = nd_int();
  assume(x >= 0 && x < 10);
  sassert(x < 10);
  sassert(x != 7); // violation
  return 0;
}
