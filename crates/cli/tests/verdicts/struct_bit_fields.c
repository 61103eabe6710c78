// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

struct flags {
  unsigned int a : 3;
  signed int b : 4;
  unsigned int c : 1;
};
int main(void) {
  struct flags f = {0, 0, 0};
  f.a = 9;
  check(f.a == 1);
  f.b = 7;
  f.b++;
  check(f.b == -8);
  f.c = 2;
  check(f.c == 0);
  f.c = 1;
  check(f.a == 1 && f.b == -8 && f.c == 1);
  check(sizeof(struct flags) == 4);
  // A field narrower than int is promoted to int.
  check(f.a - 2 < 0);
  return 0;
}
