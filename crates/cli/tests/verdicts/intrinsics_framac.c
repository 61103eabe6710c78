// expect: false(unreach-call) property: assert
#include <assert.h>
int Frama_C_interval(int low, int high);
unsigned char Frama_C_unsigned_char_interval(unsigned char low, unsigned char high);
int main(void) {
  int x = Frama_C_interval(-3, 4);
  unsigned char c = Frama_C_unsigned_char_interval(250, 255);
  Frama_C_show_each_x(x);
  assert(x >= -3 && x <= 4);
  assert(c >= 250);
  assert(x + c != 252); // violation
  return 0;
}
