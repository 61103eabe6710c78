// expect: true property: valid-memsafety config: shape
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
static struct node *reversed(struct node *head) {
  struct node *result = 0;
  while (head) {
    struct node *n = head->next;
    head->next = result;
    result = head;
    head = n;
  }
  return result;
}
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->next = head;
    head = n;
  }
  head = reversed(head);
  while (head) {
    struct node *n = head->next;
    free(head);
    head = n;
  }
  return 0;
}
