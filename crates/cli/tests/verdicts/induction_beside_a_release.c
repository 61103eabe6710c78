// expect: true property: unreach-call config: k-induction-paths also: auto
// A loop that releases a list leaves the other objects of the program what they are.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
int main(void) {
  int local = 7, *p = &local, *kept = malloc(sizeof(int));
  *kept = 3;
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof(struct node));
    node->next = list;
    list = node;
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  if (p != &local || kept == 0 || (void *)kept == (void *)p)
    reach_error();
  return 0;
}
