// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int *remember;
void store(int *p) { remember = p; }
int main(void) {
  int x = 1;
  store(&x);
  *remember = 2;
  check(x == 2);
  return 0;
}
