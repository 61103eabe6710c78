// expect: unknown
extern void reach_error(void);
int shared;
int main(void) {
  shared = 1;
  __asm__ volatile("movl $2, shared" : : : "memory");
  if (shared != 1) reach_error();
  return 0;
}
