// expect: false(unreach-call)
extern void reach_error(void);
int w = 5, n = 7, o;
int main(void) {
  __atomic_exchange(&w, &n, &o, __ATOMIC_SEQ_CST);
  if (w == 7 && o == 5) reach_error(); // violation
  return 0;
}
