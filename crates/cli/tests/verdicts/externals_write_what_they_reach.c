// expect: false(unreach-call) | unknown externals: havoc-reachable
// two answers: A function without a body may write the variables that it can name.
extern void work(void);
extern void reach_error(void);
int shared;
int main(void) {
  work();
  if (shared) reach_error();
  return 0;
}
