// expect: true config: predicate
// The state of the machine is a field of a heap object that a pointer leads to; another field holds where it goes next.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct later { int unused[4]; int next; };
struct machine { struct later *later; int other; int state; };

int step(struct machine *m) {
  int seen = 0;
  m->state = 100;
  while (1) {
    if (m->state == 100) {
      m->later->next = 102;
      m->state = 104;
    } else if (m->state == 104) {
      m->state = m->later->next;
    } else if (m->state == 102) {
      seen = 1;
      m->state = __VERIFIER_nondet_int() ? 100 : 106;
    } else if (m->state == 106) {
      if (!seen)
        reach_error();
      return 0;
    } else {
      reach_error();
    }
  }
}

int main(void) {
  struct machine *m = malloc(sizeof(struct machine));
  m->later = malloc(sizeof(struct later));
  return step(m);
}
