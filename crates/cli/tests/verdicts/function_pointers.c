// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int add(int a, int b) { return a + b; }
int sub(int a, int b) { return a - b; }
int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
int main(void) {
  int (*table[2])(int, int) = {add, &sub};
  check(table[0](3, 4) == 7);
  check((*table[1])(3, 4) == -1);
  check(apply(add, 1, 2) == 3);
  int (*chosen)(int, int) = __VERIFIER_nondet_int() ? add : sub;
  int r = chosen(5, 5);
  check(r == 10 || r == 0);
  check((chosen == add) == (r == 10));
  return 0;
}
