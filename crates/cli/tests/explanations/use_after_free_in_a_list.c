#include <stdlib.h>
struct node {
  struct node *next;
};
int main(void) {
  struct node *first = malloc(sizeof *first);
  struct node *second = malloc(sizeof *second);
  first->next = second;
  second->next = first;
  for (struct node *p = first, *next; p; p = next) {
    next = p->next;
    free(p);
  }
  return 0;
}
