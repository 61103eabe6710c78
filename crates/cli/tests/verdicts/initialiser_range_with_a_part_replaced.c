// expect: unknown
// gcc forgets the rest of the element where the range's values are computed; clang refuses it.
extern void reach_error(void);
int f(int x) { return x + 1; }
int main(void) {
  struct { signed char a; short b; } t[4] = {[0 ... 3] = {.a = f(4)}, [1].b = 2};
  if (t[1].a != 5) reach_error();
  return 0;
}
