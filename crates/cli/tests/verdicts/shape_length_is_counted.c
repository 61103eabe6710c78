// expect: false(unreach-call) property: unreach-call config: shape
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { struct node *next; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->next = head;
    head = n;
  }
  int length = 0;
  for (struct node *p = head; p; p = p->next) length++;
  if (length == 3) reach_error();
  return 0;
}
