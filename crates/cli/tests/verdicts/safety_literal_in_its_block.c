// expect: true property: valid-memsafety
// Within its block a compound literal may be used; coming by again makes no second one.
int main(void) {
  int *first = 0, i = 0;
again:;
  int *p = (int[]){i, 2, 3};
  if (first && first != p) return first[7];
  first = p;
  if (i++ < 1) goto again;
  struct pair { int a, b; } *pair = &(struct pair){4, 5};
  return first[2] + pair->b - 8;
}
