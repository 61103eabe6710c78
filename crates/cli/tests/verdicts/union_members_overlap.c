// expect: false(unreach-call)
extern void reach_error(void);

union both {
  int number;
  char bytes[4];
};
int main(void) {
  union both u;
  u.number = 0;
  u.bytes[1] = 1;
  if (u.number == 256)
    reach_error(); // violation
  return 0;
}
