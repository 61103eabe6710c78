// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

typedef unsigned char byte;
typedef int (*binary)(int, int);
static int larger(int a, int b) { return a > b ? a : b; }
#define kind(x) _Generic((x), int: 1, double: 2, byte: 3, default: 4)
int main(void) {
  byte b = 255;
  binary f = larger;
  check(f(b, 3) == 255);
  check(kind(1) == 1 && kind(1.0) == 2 && kind(b) == 3 && kind("s") == 4);
  check(kind(b + b) == 1);
  return 0;
}
