// expect: false(unreach-call)
extern void reach_error(void);
int target(void) { return 7; }
#pragma weak third = target
extern int third(void);
int main(void) {
  if (third() == 7) reach_error(); // violation
  return 0;
}
