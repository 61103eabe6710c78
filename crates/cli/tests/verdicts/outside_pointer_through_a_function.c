// expect: unknown
// Whoever is outside may call the function that gives the address away.
extern void reach_error(void);
extern int *from_outside(void);
static int a;
int *give(void) { return &a; }
int main(void) {
  int *p = from_outside();
  a = 1;
  *p = 5;
  if (a != 1) reach_error();
  return 0;
}
