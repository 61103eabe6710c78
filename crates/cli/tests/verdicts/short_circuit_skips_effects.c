// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int calls;
int effect(int result) {
  calls++;
  return result;
}
int main(void) {
  check(!(0 && effect(1)));
  check(calls == 0);
  check(1 || effect(1));
  check(calls == 0);
  check(effect(1) && !effect(0));
  check(calls == 2);
  int x = effect(0) || effect(2);
  check(x == 1 && calls == 4);
  int y = 0 ? effect(5) : 7;
  check(y == 7 && calls == 4);
  return 0;
}
