// expect: true property: assert
#include <assert.h>
unsigned char *__rust_alloc(unsigned long size, unsigned long align);
unsigned char *__rust_alloc_zeroed(unsigned long size, unsigned long align);
unsigned char *__rust_realloc(unsigned char *p, unsigned long old, unsigned long align, unsigned long size);
void __rust_dealloc(unsigned char *p, unsigned long size, unsigned long align);
int main(void) {
  unsigned char *p = __rust_alloc_zeroed(4, 1);
  assert(p[3] == 0);
  p[3] = 7;
  p = __rust_realloc(p, 4, 1, 8);
  assert(p[3] == 7);
  __rust_dealloc(p, 8, 1);
  p = __rust_alloc(2, 1);
  p[1] = 1;
  __rust_dealloc(p, 2, 1);
  return 0;
}
