// expect: true property: valid-memsafety config: shape
// The links lead into the middle of the nodes, as in Linux.
#include <stddef.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct list { struct list *next, *prev; };
struct item { int value; struct list link; };
int main(void) {
  struct list head = { &head, &head };
  while (__VERIFIER_nondet_int()) {
    struct item *i = malloc(sizeof *i);
    i->value = 3;
    i->link.next = &head;
    i->link.prev = head.prev;
    head.prev->next = &i->link;
    head.prev = &i->link;
  }
  struct list *l = head.next;
  while (l != &head) {
    struct item *i = (struct item *)((char *)l - offsetof(struct item, link));
    l = l->next;
    free(i);
  }
  return 0;
}
