// expect: unknown | false(unreach-call)
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
