// expect: unknown | false(unreach-call)
// two answers: what assembly does is not known: a violation may not be confirmed, but nothing may be proved
extern void reach_error(void);

int main(void) {
  int x = 1;
  __asm__ volatile("incl %0" : "+r"(x));
  if (x == 5)
    reach_error();
  return 0;
}
