// expect: true
// What is stored through a pointer from outside is there, and two loads give the same, as long as nothing else is written.
extern void reach_error(void);
struct s { int a, b; long c; };
extern struct s *get(void);
extern int *number(void);
static int twice(int *p) {
  *p = 1;
  return *p + *p;
}
int main(void) {
  struct s *p = get();
  if (p) {
    p->a = 1;
    p->b = 2;
    if (p->a != 1 || p->b != 2) reach_error();
    if (p->c == 5) {
      if (p->c != 5) reach_error();
    }
  }
  int *q = number();
  if (q) {
    q[3] = 7;
    q[2] = 8;
    if (q[3] != 7) reach_error();
    if (twice(q) != 2) reach_error();
  }
  return 0;
}
