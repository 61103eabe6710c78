// expect: false(no-overflow) property: no-overflow
typedef int v4 __attribute__((vector_size(16)));
extern int __VERIFIER_nondet_int(void);
int main(void) {
  v4 a = {0, __VERIFIER_nondet_int(), 0, 0};
  a = a + 1; // violation
  return 0;
}
