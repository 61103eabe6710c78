// expect: unknown
// The size is that of the place of the declaration, which the tree does not say.
extern void reach_error(void);
static int size(int n) {
  struct s { char b[n]; } __attribute__((packed));
  n++;
  return sizeof(struct s);
}
int main(void) {
  if (size(123) == 124) reach_error();
  return 0;
}
