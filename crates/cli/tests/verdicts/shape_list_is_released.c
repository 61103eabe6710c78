// expect: true property: valid-memsafety config: shape
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
int main(void) {
  struct node *head = 0, **tail = &head;
  while (__VERIFIER_nondet_int()) {
    *tail = malloc(sizeof **tail);
    (*tail)->next = 0;
    tail = &(*tail)->next;
  }
  while (head) {
    struct node *n = head;
    head = n->next;
    free(n);
  }
  return 0;
}
