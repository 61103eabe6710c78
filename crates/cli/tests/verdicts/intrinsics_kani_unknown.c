// expect: unknown property: assert
int main(void) {
  __KANI_no_such_hook();
  assert(1 + 1 == 2);
  return 0;
}
