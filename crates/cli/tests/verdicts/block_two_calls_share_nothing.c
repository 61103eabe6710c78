// expect: false(unreach-call) also: symbolic,bam-symbolic,bam-symbolic-cegar
// Two results of one summary are two inputs, not one.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int read_small(int most) {
  int v = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 2; i++) {
    if (v > most) v = most;
  }
  return v;
}
int main(void) {
  int most = __VERIFIER_nondet_uchar();
  int a = read_small(most);
  int b = read_small(most);
  if (a > most || b > most) return 0;
  if (a + 1 == b) reach_error(); // violation
  return 0;
}
