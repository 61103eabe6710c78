// expect: true
extern void reach_error(void);
int main(void) {
  int x = x, *p = &x;
  int y = x;
  if (*p != y) reach_error();
  return 0;
}
