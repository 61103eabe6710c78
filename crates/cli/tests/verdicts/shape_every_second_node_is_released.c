// expect: false(valid-memtrack) property: valid-memsafety config: shape
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->next = head;
    head = n;
  }
  while (head) {
    struct node *n = head;
    head = n->next;
    free(n);
    if (head) head = head->next;
  }
  return 0;
}
