// expect: false(unreach-call)
extern void reach_error(void);
int a[2][2] = {[0] = {1, 2}, [0] = {[1] = 7}};
int main(void) {
  if (a[0][0] == 0) reach_error(); // violation
  return 0;
}
