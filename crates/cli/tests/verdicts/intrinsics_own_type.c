// expect: true property: assert
typedef unsigned char __CPROVER_size_t;
int main(void) {
  __CPROVER_size_t size = 256;
  __CPROVER_assert(size == 0, "the program's own type");
  return 0;
}
