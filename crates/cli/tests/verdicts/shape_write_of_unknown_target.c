// expect: unknown property: unreach-call config: shape
// Nobody knows what the write changes, and the run cannot be repeated: where objects lie is not known.
#include <stdint.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
struct node { long data; struct node *next; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->data = 1;
    n->next = head;
    head = n;
  }
  uintptr_t address = __VERIFIER_nondet_ulong();
  if (head && address > 100000 && address < 1000000000) *(long *)address = 2;
  for (struct node *p = head; p; p = p->next)
    if (p->data != 1) reach_error();
  return 0;
}
