// expect: false(unreach-call) | unknown externals: havoc-arguments
// two answers: A function without a body may write what its arguments point to.
extern void fill(int *);
extern void reach_error(void);
int main(void) {
  int x = 1;
  fill(&x);
  if (x == 5) reach_error();
  return 0;
}
