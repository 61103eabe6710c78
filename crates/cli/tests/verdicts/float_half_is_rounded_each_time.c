// expect: true
// Every operation on half floats is rounded to their format, as with gcc's -fexcess-precision=16.
extern void reach_error(void);
int main(void) {
  _Float16 large = 2048, one = 1;
  _Float16 rest = (large + one) - large;
  if (rest != 0) reach_error();
  _Float16 third = (_Float16)1 / (_Float16)3;
  if (third * 3 == third + third + third && sizeof third != 2) reach_error();
  return 0;
}
