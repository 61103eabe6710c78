// expect: false(unreach-call)
typedef short v8 __attribute__((vector_size(16)));
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  short x = (short)__VERIFIER_nondet_int();
  v8 a = {1, 2, 3, x}, b = a * a;
  if (b[3] == 49 && (short)(a[3] >> 1) == -4) reach_error(); // violation
  return 0;
}
