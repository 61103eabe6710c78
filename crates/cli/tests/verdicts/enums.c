// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

enum color { RED, GREEN = 5, BLUE };
enum { SIZE = BLUE * 2 };
int main(void) {
  enum color c = BLUE;
  check(RED == 0 && c == 6 && SIZE == 12);
  int a[SIZE];
  check(sizeof(a) == 48);
  return 0;
}
