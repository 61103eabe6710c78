// expect: true outside-pointers: own-memory
// The contract of the competition: without a pointer among the operands it is a barrier.
extern void reach_error(void);
int shared;
int main(void) {
  shared = 1;
  __asm__ volatile("call change" : : : "memory");
  if (shared != 1) reach_error();
  return 0;
}
