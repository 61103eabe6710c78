// expect: false(valid-deref) property: valid-memsafety config: fuzz

// A list as long as inputs say; the third element is read after it was released.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node {
  struct node *next;
  int value;
};
int main(void) {
  struct node *head = 0;
  int length = 0;
  while (__VERIFIER_nondet_int() > 0 && length < 10) {
    struct node *new = malloc(sizeof *new);
    if (!new)
      break;
    new->next = head;
    new->value = length++;
    head = new;
  }
  int third = 0;
  for (struct node *n = head; n;) {
    struct node *next = n->next;
    free(n);
    if (n == head && length == 5)
      third = n->value; // violation
    n = next;
  }
  return third;
}
