// expect: false(no-uninitialised-read) property: no-uninitialised-read
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
  struct node *list = malloc(sizeof *list);
  list->value = 1;
  int n = 0;
  for (struct node *p = list; p; p = p->next) // violation
    n++;
  free(list);
  return n;
}
