// expect: true
extern int fesetround(int);
extern int fegetround(void);
extern double rint(double);
extern void reach_error(void);
int main(void) {
  if (fesetround(0) != 0 || fegetround() != 0)
    reach_error();
  if (rint(2.5) != 2.0 || rint(3.5) != 4.0)
    reach_error();
  return 0;
}
