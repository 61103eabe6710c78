// expect: true
// What the compiler makes of memset writes.
extern void reach_error(void);
int main(void) {
  int number = 1;
  __builtin___memset_chk(&number, 0, sizeof number, 4);
  if (number != 0) reach_error();
  return 0;
}
