// expect: true
// `qsort` and `bsearch` with the program's own order.
#include <stdlib.h>
extern void reach_error(void);
static int calls;
static int up(const void *a, const void *b) {
  calls++;
  return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}
static int down(const void *a, const void *b) { return up(b, a); }
struct pair {
  char key;
  int value;
};
static int by_key(const void *a, const void *b) { return ((const struct pair *)a)->key - ((const struct pair *)b)->key; }
int main(void) {
  int a[5] = {3, -1, 7, 3, 0}, seven = 7, six = 6;
  qsort(a, 5, sizeof *a, up);
  if (a[0] != -1 || a[1] != 0 || a[2] != 3 || a[3] != 3 || a[4] != 7 || !calls) reach_error();
  if (bsearch(&seven, a, 5, sizeof *a, up) != &a[4] || bsearch(&six, a, 5, sizeof *a, up) || bsearch(&seven, a, 0, 4, up)) reach_error();
  qsort(a, 4, sizeof *a, down);
  if (a[0] != 3 || a[3] != -1 || a[4] != 7) reach_error();
  struct pair p[3] = {{'c', 1}, {'a', 2}, {'b', 3}};
  qsort(p, 3, sizeof *p, by_key);
  if (p[0].value != 2 || p[1].value != 3 || p[2].value != 1) reach_error();
  qsort(p, 0, sizeof *p, by_key);
  return 0;
}
