// expect: false(unreach-call) property: unreach-call config: shape
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { struct node *next, *self; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->self = head && head->next && head->next->next ? head : n;
    n->next = head;
    head = n;
  }
  for (struct node *p = head; p; p = p->next)
    if (p->self != p) reach_error();
  return 0;
}
