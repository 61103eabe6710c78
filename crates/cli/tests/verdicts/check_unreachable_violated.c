// expect: false(no-builtin-unreachable) property: no-builtin-unreachable
extern int __VERIFIER_nondet_int(void);
static int kind(int x) {
  switch (x & 3) {
  case 0: return 4;
  case 1: return 5;
  case 2: return 6;
  
  }
  __builtin_unreachable(); // violation
}
int main(void) { return kind(__VERIFIER_nondet_int()); }
