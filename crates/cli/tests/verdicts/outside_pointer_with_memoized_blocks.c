// expect: unknown config: bam-value
// What a block may change is more than what it names.
extern void reach_error(void);
extern int *from_outside(void);
int shared;
static void change(void) { *from_outside() = 2; }
int main(void) {
  shared = 1;
  change();
  if (shared != 1) reach_error();
  return 0;
}
