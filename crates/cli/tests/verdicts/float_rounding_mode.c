// expect: unknown
// Only rounding to nearest is modelled; a program that sets another mode is not judged.
extern int fesetround(int);
extern double rint(double);
extern void reach_error(void);
int main(void) {
  fesetround(0x400); // Downwards.
  if (rint(3.5) != 3.0)
    reach_error();
  return 0;
}
