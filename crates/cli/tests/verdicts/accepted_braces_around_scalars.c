// expect: true
// Compilers warn, and take it.
extern void reach_error(void);
int g = {{3}};
int main(void) {
  int y[2] = {{1}, {{2}}};
  struct { int a; } s = {{{4}}};
  char t[2][4] = {{{"abc"}}};
  if (g != 3 || y[1] != 2 || s.a != 4 || t[0][1] != 'b') reach_error();
  return 0;
}
