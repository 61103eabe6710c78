// expect: true property: assert
#include <assert.h>
int Frama_C_interval(int low, int high);
int Frama_C_nondet(int a, int b);
int main(void) {
  int x = Frama_C_nondet(Frama_C_interval(1, 4), 9);
  assert(x >= 1 && (x <= 4 || x == 9));
  return 0;
}
