// expect: true config: bmc
// The index depends on a comparison of addresses, and is no address itself: the access stays inside `a`.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int one(int x) { return x + 1; }
int two(int x) { return x + 2; }
int a[4], b[4];

int main(void) {
  int (*f)(int) = __VERIFIER_nondet_int() ? one : two;
  int index = f == one ? 1 : 3;
  b[0] = 7;
  a[index] = f(index);
  if (b[0] != 7 || (a[1] != 2 && a[3] != 5))
    reach_error();
  return 0;
}
