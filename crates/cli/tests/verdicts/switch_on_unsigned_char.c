// expect: false(unreach-call)
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  switch (c + 1) {
  case 256:
    reach_error(); // violation
  case 0:
    return 1;
  }
  return 0;
}
