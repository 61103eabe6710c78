// expect: unknown
// A call through a null pointer is undefined: nothing is claimed of what follows.
extern void reach_error(void);
int main(void) {
  void (*f)(void) = 0;
  f();
  reach_error();
  return 0;
}
