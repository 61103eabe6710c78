#include <stdlib.h>
struct node {
  struct node *next;
  int value;
};
int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 2; i++) {
    struct node *made = malloc(sizeof *made);
    made->next = i == 1 ? 0 : list;
    made->value = i;
    list = made;
  }
  free(list);
  return 0;
}
