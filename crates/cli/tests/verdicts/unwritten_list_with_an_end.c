// expect: true property: no-uninitialised-read
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) {
    struct node *p = malloc(sizeof *p);
    p->value = i;
    p->next = list;
    list = p;
  }
  int n = 0;
  while (list) {
    struct node *next = list->next;
    n += list->value;
    free(list);
    list = next;
  }
  return n;
}
