// expect: unknown
extern void reach_error(void);
static void found(int code, int other) {
  if (other == 7)
    reach_error();
}
/* What the second parameter holds is left to chance: neither verdict is right. */
int main(void) {
  void (*handler)(int) = (void (*)(int))found;
  handler(7);
  return 0;
}
