// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

struct row { int cell[2]; };
struct table { struct row rows[2]; int used; };
int main(void) {
  struct table t = {{{{1, 2}}, {{3, 4}}}, 2};
  struct table *p = &t;
  p->rows[1].cell[0] += p->rows[0].cell[1];
  check(t.rows[1].cell[0] == 5);
  struct row copy = p->rows[1];
  copy.cell[0] = 0;
  check(t.rows[1].cell[0] == 5);
  return 0;
}
