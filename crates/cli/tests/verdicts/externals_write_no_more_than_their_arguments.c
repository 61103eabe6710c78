// expect: true externals: havoc-arguments
// What no argument leads to stays.
extern void fill(int *);
extern void reach_error(void);
int shared;
int main(void) {
  int x = 1, y = 2;
  fill(&x);
  if (y != 2 || shared) reach_error();
  return 0;
}
