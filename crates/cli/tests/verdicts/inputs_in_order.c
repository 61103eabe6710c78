// expect: false(unreach-call)
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  int code = 0;
  for (int i = 0; i < 3; i++)
    code = code * 10 + (__VERIFIER_nondet_uchar() & 7);
  if (code == 375)
    reach_error(); // violation
  return 0;
}
