// expect: true
extern void reach_error(void);
extern void *malloc(unsigned long);
struct flags { _Bool set; int other; };
int main(void) {
  struct flags local, *heap = malloc(sizeof *heap);
  int sum = local.set + heap->set;
  if (sum > 2 || (local.set && !local.set))
    reach_error();
  return 0;
}
