// expect: true
// The mode is followed; compilers leave `rint` of a constant to the library.
extern int fesetround(int);
extern double rint(double);
extern void reach_error(void);
int main(void) {
  fesetround(0x400); // Downwards.
  if (rint(3.5) != 3.0)
    reach_error();
  return 0;
}
