// expect: false(unreach-call)
extern void reach_error(void);

struct counter {
  unsigned int low : 2;
  unsigned int high : 6;
};
int main(void) {
  struct counter c = {0, 0};
  for (int i = 0; i < 4; i++)
    c.low++;
  if (c.low == 0 && c.high == 0)
    reach_error(); // violation
  return 0;
}
