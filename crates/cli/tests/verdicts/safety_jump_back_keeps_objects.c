// expect: true property: valid-memsafety
// A jump back before a declaration does not leave the block: pointers to its objects stay valid.
struct box {
  int value;
};
int main(int argc, char **argv) {
  int *p = 0;
again:;
  int x = 5;
  if (!p) {
    p = &x;
    goto again;
  }
  *p = 7;
  struct box *first = 0, *second;
  int count = 0;
more:
  second = first;
  first = &((struct box){count++});
  if (count < 2)
    goto more;
  return second->value;
}
