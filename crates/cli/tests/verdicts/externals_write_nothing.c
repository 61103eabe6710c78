// expect: true externals: pure
// A function without a body writes nothing, by the competition's rule.
extern void fill(int *);
extern void reach_error(void);
int main(void) {
  int x = 1;
  fill(&x);
  if (x != 1) reach_error();
  return 0;
}
