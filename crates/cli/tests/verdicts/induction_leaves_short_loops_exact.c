// expect: true config: k-induction-formulas
// The first loop ends within three rounds by itself: no step from any state is needed, which would know nothing of `i`.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[3], x = 1;

int main(void) {
  int i;
  for (i = 0; i != 3; i++)
    a[i] = i + 1;
  while (__VERIFIER_nondet_int())
    x = 1;
  if (a[0] + a[1] + a[2] + x != 7)
    reach_error();
  return 0;
}
