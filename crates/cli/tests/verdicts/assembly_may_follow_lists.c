// expect: unknown
extern void reach_error(void);
struct node { struct node *next; int value; };
int main(void) {
  struct node b = {0, 1}, a = {&b, 1}, *first = &a;
  __asm__ volatile("call change" : : "D"(first) : "memory");
  if (b.value != 1) reach_error();
  return 0;
}
