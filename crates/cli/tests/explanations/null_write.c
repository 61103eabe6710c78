struct node { int key; struct node *next; };
int main(void) {
  struct node *n = 0;
  n->next = 0;
  return 0;
}
