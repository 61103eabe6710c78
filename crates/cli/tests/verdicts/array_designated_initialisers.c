// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

struct point { int x, y; };
int main(void) {
  int a[6] = {[4] = 29, 7, [1] = 5};
  check(a[0] == 0 && a[1] == 5 && a[4] == 29 && a[5] == 7);
  struct point p[3] = {[1].y = 3, [2] = {.y = 8, .x = 9}};
  check(p[0].x == 0 && p[1].y == 3 && p[2].x == 9 && p[2].y == 8);
  int inferred[] = {1, 2, [9] = 3};
  check(sizeof(inferred) == 40);
  return 0;
}
