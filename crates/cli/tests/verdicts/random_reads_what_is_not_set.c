// expect: unknown config: random
// What an uninitialised variable holds is chosen, so one run is not all of them.
extern void reach_error(void);
int main(void) {
  int x;
  int *p = &x;
  if (*p == 123456789) reach_error();
  return 0;
}
