// expect: false(unreach-call) | unknown
// two answers: the call is undefined, and what a compiler does with it is not promised
extern void reach_error(void);
static int nothing(void) { return 0; }
static int found(int unused) {
  reach_error(); // violation
  return 1;
}
int main(void) {
  long (*wide)(void) = (long (*)(void))nothing;
  if (wide() != 0)
    return 1;
  int (*any)() = (int (*)())found;
  return any();
}
