// expect: true property: assert
int *kept;
void f(void) { int x = 3; kept = &x; __CPROVER_assert(__CPROVER_r_ok(kept, 4), "alive"); }
int main(void) {
  f();
  __CPROVER_assert(!__CPROVER_r_ok(kept, 4), "ended");
  return 0;
}
