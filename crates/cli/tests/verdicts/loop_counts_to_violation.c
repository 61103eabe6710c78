// expect: false(unreach-call)
extern void reach_error(void);

int main(void) {
  int i = 0;
  while (1) {
    i++;
    if (i == 20)
      reach_error(); // violation
  }
  return 0;
}
