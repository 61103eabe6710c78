// expect: unknown
extern void reach_error(void);
struct pair { int a, b; };
static void found(struct pair pair) {
  if (pair.a)
    reach_error();
}
int main(void) {
  void (*handler)(double) = (void (*)(double))found;
  handler(1.0);
  return 0;
}
