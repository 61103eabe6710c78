// expect: false(unreach-call)
extern void reach_error(void);
extern int nowhere(void) __attribute__((weak));
int main(void) {
  if (!nowhere) reach_error(); // violation
  return 0;
}
