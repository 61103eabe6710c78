// expect: false(unreach-call) config: predicate also: value-predicate also: predicate-boolean
// The last of the rounds that stay inside of a block writes what must not be there.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a[5];
  int x = __VERIFIER_nondet_int();
  for (int i = 0; i < 5; i++) a[i] = i == 4 ? x : 0;
  for (int i = 0; i < 5; i++)
    if (a[i] == 7) reach_error();
  return 0;
}
