// expect: true
// Nobody else has a name or an address for these.
extern void reach_error(void);
extern int *from_outside(void);
static int own;
int main(void) {
  int local = 1;
  int *p = from_outside();
  own = 1;
  *p = 2;
  if (own != 1 || local != 1) reach_error();
  return 0;
}
