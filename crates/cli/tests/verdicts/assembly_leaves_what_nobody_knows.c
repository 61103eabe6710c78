// expect: true
// Neither a variable without an address nor one that a barrier passes by.
extern void reach_error(void);
int shared;
int main(void) {
  int x = 1;
  shared = 1;
  __asm__ volatile("mfence" : : : "memory");
  if (shared != 1) reach_error();
  __asm__ volatile("call change" : : : "memory");
  if (x != 1) reach_error();
  return 0;
}
