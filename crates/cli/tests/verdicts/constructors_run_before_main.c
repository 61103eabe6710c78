// expect: true
extern void reach_error(void);
static int order;
__attribute__((constructor)) static void last(void) { order = order * 10 + 3; }
__attribute__((constructor(102))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 1; }
int main(void) {
  if (order != 123)
    reach_error();
  return 0;
}
