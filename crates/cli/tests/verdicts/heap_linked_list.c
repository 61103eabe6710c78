// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

#include <stdlib.h>
struct node {
  int value;
  struct node *next;
};
int main(void) {
  struct node *head = 0;
  for (int i = 0; i < 4; i++) {
    struct node *n = malloc(sizeof(struct node));
    n->value = i;
    n->next = head;
    head = n;
  }
  int sum = 0;
  for (struct node *n = head; n; n = n->next)
    sum = sum * 10 + n->value;
  check(sum == 3210);
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
