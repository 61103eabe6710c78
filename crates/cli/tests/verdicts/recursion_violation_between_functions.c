// expect: unknown config: recursion
// The violation is in the second activation of one function, below one of the other.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int entered;
void g(int n);
void f(int n) {
  entered++;
  if (entered == 3 && n == 1) reach_error();
  if (n > 0) g(n);
}
void g(int n) { f(n - 1); }
int main(void) {
  f(3);
  return 0;
}
