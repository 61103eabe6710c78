// expect: true
extern void reach_error(void);
__float80 x = 1.5;
int main(void) { __float80 y = x * 2; if (y != 3 || sizeof(x) != sizeof(long double)) reach_error(); return 0; }
