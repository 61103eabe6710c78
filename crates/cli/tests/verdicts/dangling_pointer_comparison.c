// expect: true property: unreach-call also: value,symbolic,bam-value
// Objects that were alive at the same time have different addresses, also after the end of one of them.
#include <stdlib.h>
extern void reach_error(void);
static int *kept;
static void end(int *p) { free(p); }
int main(void) {
  int *p = malloc(4);
  int *q = p;
  int *r = malloc(4);
  kept = r;
  end(p);
  if (p != q || r == q) reach_error();
  int local = 0, *l = &local;
  if (q == l) reach_error();
  free(kept);
  return 0;
}
