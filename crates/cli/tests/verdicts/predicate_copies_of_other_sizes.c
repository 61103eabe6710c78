// expect: unknown config: value-cegar set: refinement=atoms
// Structures that are copied in pieces of other sizes on other paths.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct small { short a, b; };
struct large { int a; short b; };
static struct small pass_small(struct small s) { return s; }
static struct large pass_large(struct large s) { return s; }
static struct small g, h[2];
static struct large k, l[2];
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 1) { g.b = 3; h[0] = pass_small(g); } else { k.b = 3; l[0] = pass_large(k); }
  for (int i = 0; i < 3; i++) { h[1] = pass_small(g); l[1] = pass_large(k); }
  if (n == 1 && (h[1].b != 3 || h[1].a != 0)) reach_error();
  if (n != 1 && (l[1].b != 3 || l[1].a != 0)) reach_error();
}
