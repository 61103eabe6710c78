// expect: false(unreach-call) config: random
// Every run finds it, after a million steps.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[100000];
int main(void) {
  for (int i = 0; i < 100000; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 1; i < 100000; i++)
    if (a[i] < a[i - 1]) reach_error(); // violation
  return 0;
}
