// expect: true outside-pointers: own-memory
// The contract of the competition: what others hand out is memory of its own.
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
