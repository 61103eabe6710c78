// expect: unknown | false(unreach-call)
// two answers: what assembly does is not known: a violation may not be confirmed, but nothing may be proved
// What the assembly may write is not known, so nothing is proved about it.
extern void reach_error(void);
int buffer[4];
static void fill(int *p, int n) { __asm__ volatile("rep stosl" : : "D"(p), "c"(n) : "memory"); }
int main(void) {
  fill(buffer, 4);
  if (buffer[1] != 0)
    reach_error();
  return 0;
}
