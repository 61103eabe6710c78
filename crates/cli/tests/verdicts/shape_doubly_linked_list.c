// expect: true property: valid-memsafety config: shape
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *prev; int data; };
int main(void) {
  struct node *head = 0, *last = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->next = 0;
    n->prev = last;
    n->data = 7;
    if (last) last->next = n;
    else head = n;
    last = n;
  }
  // Out of the middle.
  struct node *p = head;
  while (p && __VERIFIER_nondet_int()) p = p->next;
  if (p) {
    if (p->prev) p->prev->next = p->next;
    else head = p->next;
    if (p->next) p->next->prev = p->prev;
    else last = p->prev;
    free(p);
  }
  // From the end.
  while (last) {
    struct node *n = last;
    last = n->prev;
    free(n);
  }
  return 0;
}
