// expect: true property: assert
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x < 0) klee_silent_exit(0);
  klee_assert(x >= 0);
  return 0;
}
