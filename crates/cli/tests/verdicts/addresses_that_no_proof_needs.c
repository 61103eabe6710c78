// expect: true
// property: unreach-call
// config: value-cegar
// also: symbolic-cegar
// The list grows for ever; the lock does not depend on it. A precision forgets addresses, and objects that nothing leads to.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct entry {
  struct entry *next;
  int value;
};

int main(void) {
  struct entry *list = 0;
  int locked = 0;
  while (__VERIFIER_nondet_int()) {
    struct entry *new = malloc(sizeof *new);
    if (!new) return 1;
    if (locked) reach_error();
    locked = 1;
    new->value = __VERIFIER_nondet_int();
    new->next = list;
    list = new;
    if (!locked) reach_error();
    locked = 0;
  }
  return 0;
}
