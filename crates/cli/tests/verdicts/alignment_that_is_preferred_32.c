// expect: true model: ILP32
// GNU's `__alignof__` is the alignment that compilers prefer, `_Alignof` the one that a member of that type has.
#include <stddef.h>
extern void reach_error(void);
struct wide {
  char c;
  long long x;
  double d;
};
int main(void) {
  if (__alignof__(long long) != 8 || _Alignof(long long) != 4 || __alignof__(unsigned long long int) != 8) reach_error();
  if (__alignof__(double) != 8 || _Alignof(double) != 4 || __alignof__(const volatile double) != 8) reach_error();
  if (__alignof__(long double) != 4 || __alignof__(long) != 4 || __alignof__(int) != 4 || __alignof__(short) != 2) reach_error();
  if (__alignof__(struct wide) != 4 || offsetof(struct wide, x) != 4 || sizeof(struct wide) != 20) reach_error();
  return 0;
}
