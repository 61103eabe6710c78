// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int add(a, b)
int a;
int b;
{
  return a + b;
}
int main() {
  check(add(2, 3) == 5);
  return 0;
}
