// expect: unknown | false(unreach-call)
extern void reach_error(void);

int main(void) {
  int x = 1;
  __asm__ volatile("incl %0" : "+r"(x));
  if (x == 5)
    reach_error();
  return 0;
}
