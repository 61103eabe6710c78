// expect: false(unreach-call)
extern void reach_error(void);

int main(void) {
  int x;
  if (x == 77)
    reach_error(); // violation
  return 0;
}
