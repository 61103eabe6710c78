// expect: false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#include <stdlib.h>
struct tree {
  int value;
  struct tree *left, *right;
};
struct tree *leaf(int value) {
  struct tree *t = malloc(sizeof(*t));
  t->value = value;
  t->left = t->right = 0;
  return t;
}
int total(struct tree *t) {
  return t ? t->value + total(t->left) + total(t->right) : 0;
}
int main(void) {
  struct tree *root = leaf(1);
  root->left = leaf(2);
  root->right = leaf(__VERIFIER_nondet_int());
  if (total(root) == 10)
    reach_error(); // violation
  return 0;
}
