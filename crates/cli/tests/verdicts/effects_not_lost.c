// expect: true
// Operands whose type has a known size are not evaluated; lengths that are measured are; prototypes inside of parameters compute nothing.
extern void reach_error(void);
int n;
int f(void) { return ++n; }
int h(int k, int y[][f()]) { return sizeof *y; }
int g(void (*call)(int x[f()])) { return n; }
int main(void) {
  int m = 3;
  __typeof__(m++) a = sizeof(m++) + sizeof(f());
  if (a != 8 || n != 0 || m != 3) reach_error();
  if (sizeof(int[f() + (m = 7)]) != 32 || n != 1 || m != 7) reach_error();
  if (h(0, 0) != 8 || n != 2) reach_error();
  if (g(0) != 2) reach_error();
  if (__alignof__(int[f()]) != 4 || n != 2) reach_error();
  return 0;
}
