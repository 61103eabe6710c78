// expect: unknown

void reach_error(void);
int main(void) {
  int x = 1;
  void change(void) {
    x = 2;
  }
  change();
  if (x == 2) {
    reach_error();
  }
  return 0;
}
