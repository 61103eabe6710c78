// expect: true model: LP64,ILP32
#include <complex.h>
extern void reach_error(void);
static double complex square(double complex z) { return z * z; }
int main(void) {
  double complex z = 1.0 + 2.0 * I, w = square(z);
  if (creal(w) != -3.0 || cimag(w) != 4.0) reach_error();
  w /= 2.0;
  if (w != -1.5 + 2.0 * I || conj(w) == w) reach_error();
  __imag__ w = 0;
  if (w != -1.5) reach_error();
  _Complex int i = 3 + 4i;
  i = i * i;
  if (__real__ i != -7 || __imag__ i != 24) reach_error();
  return 0;
}
