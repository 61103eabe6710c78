// expect: unknown
// Somebody else may know the address of a variable with external linkage.
extern void reach_error(void);
extern int *from_outside(void);
int shared;
int main(void) {
  int *p = from_outside();
  shared = 1;
  *p = 2;
  if (shared != 1) reach_error();
  return 0;
}
