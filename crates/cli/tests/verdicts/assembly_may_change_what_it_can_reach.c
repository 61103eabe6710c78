// expect: unknown
// The clobber of memory is of all memory: what an operand's structure points to belongs to it.
extern void reach_error(void);
struct box { int *content; };
int main(void) {
  int x = 1;
  struct box box = {&x};
  __asm__ volatile("movq (%0), %%rax; movl $2, (%%rax)" : : "r"(&box) : "memory", "rax");
  if (x != 1) reach_error();
  return 0;
}
