// expect: false(no-overflow) property: no-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
  __int128 most = (__int128)((unsigned __int128)-1 >> 1);
  int x = __VERIFIER_nondet_int();
  if (x > 0 && x < 3) most = most + x; // violation
  return 0;
}
