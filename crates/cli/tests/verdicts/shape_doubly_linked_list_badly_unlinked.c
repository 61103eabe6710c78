// expect: false(valid-deref) | false(valid-free) property: valid-memsafety config: shape
// two answers: the node that stays linked is read, or released once more
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *prev; };
int main(void) {
  struct node *head = 0, *last = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->next = 0;
    n->prev = last;
    if (last) last->next = n;
    else head = n;
    last = n;
  }
  struct node *p = head;
  while (p && __VERIFIER_nondet_int()) p = p->next;
  if (p && p->prev && p->next) {
    p->prev->next = p->next;
    free(p);
  }
  while (last) {
    struct node *n = last;
    last = n->prev;
    free(n);
  }
  return 0;
}
