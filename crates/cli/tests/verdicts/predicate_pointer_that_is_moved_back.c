// expect: true config: predicate also: predicate-boolean
// Which object the pointer is to is known at the loop head: the write never meets the other one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct pair { int x; int y; int z; int u; int v; };

int main(void) {
  struct pair one, two;
  struct pair *p = &one;
  two.x = 3;
  while (__VERIFIER_nondet_int()) {
    p->x = 4;
    p = &two;
    if (p->x != 3)
      reach_error();
    p = &one;
  }
  return 0;
}
