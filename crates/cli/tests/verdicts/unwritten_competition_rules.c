// expect: true
extern void reach_error(void);
int main(void) {
  int x;
  int y = x;
  if (x != y)
    reach_error();
  return 0;
}
