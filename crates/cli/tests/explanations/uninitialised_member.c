#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *first = malloc(sizeof *first);
  struct node *second = malloc(sizeof *second);
  first->value = 1;
  first->next = second;
  second->value = 2;
  int count = 0;
  for (struct node *p = first; p; p = p->next)
    count++;
  free(second);
  free(first);
  return count;
}
