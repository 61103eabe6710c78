// expect: unknown | false(unreach-call)
// two answers: the violation need not be confirmed, but its absence must not be proved
// What is read through it is the global's value, or not.
extern void reach_error(void);
extern int *from_outside(void);
int shared;
int main(void) {
  int *p = from_outside();
  shared = 7;
  if (*p == 7) reach_error();
  return 0;
}
