// expect: false(unreach-call)
extern void reach_error(void);

volatile int device;
const int limit = 3;
int main(void) {
  device = 1;
  int first = device;
  if (first == 1 && limit == 3)
    reach_error(); // violation
  return 0;
}
