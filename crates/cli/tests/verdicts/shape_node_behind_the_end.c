// expect: false(valid-deref) property: valid-memsafety config: shape
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
int main(void) {
  struct node *head = malloc(sizeof *head);
  head->next = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->next = head;
    head = n;
  }
  struct node *p = head;
  while (p->next->next) p = p->next;
  while (head) {
    struct node *n = head;
    head = n->next;
    free(n);
  }
  return 0;
}
