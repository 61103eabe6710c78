// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

struct point { int x, y; };
int sum(struct point p) { return p.x + p.y; }
int main(void) {
  check(sum((struct point){3, 4}) == 7);
  int *p = (int[]){1, 2, 3};
  p[1] = 20;
  check(p[0] + p[1] + p[2] == 24);
  return 0;
}
