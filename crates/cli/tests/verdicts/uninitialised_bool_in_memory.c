// expect: true
extern void reach_error(void);
extern void *malloc(unsigned long);
struct flags { _Bool set; int other; };
int main(void) {
  struct flags local, *heap = malloc(sizeof *heap);
  int sum = local.set + heap->set;
  _Bool copy = heap->set;
  int number = copy;
  if (sum > 2 || number > 1 || copy != heap->set || (local.set && !local.set))
    reach_error();
  return 0;
}
