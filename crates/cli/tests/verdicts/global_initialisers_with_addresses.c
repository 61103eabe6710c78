// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int x = 5;
int *p = &x;
int a[3] = {1, 2, 3};
int *q = a + 2;
struct link { struct link *self; int n; } node = {&node, 4};
char *names[] = {"zero", "one"};
int (*function)(void);
int main(void) {
  *p = 6;
  check(x == 6 && *q == 3 && q[-1] == 2);
  check(node.self == &node && node.self->n == 4);
  check(names[1][0] == 'o' && function == 0);
  return 0;
}
