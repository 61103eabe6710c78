// expect: unknown
// The pointer may lead to the variable; that it does rests on an address, so it is no violation either.
extern void reach_error(void);
extern int *get(void);
int a;
int main(void) {
  int *p = get();
  if (p != &a) return 0;
  *p = 1;
  a = 2;
  if (*p != 1) reach_error();
  return 0;
}
