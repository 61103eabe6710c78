// expect: unknown
// `%n` writes through an argument, which is not modelled.
int printf(const char *format, ...);
void reach_error(void) {}

int main(void) {
  int count = 0;
  printf("100%% of %5d: %ln%n\n", 7, (long *)0, &count);
  if (count != 0)
    reach_error();
  return 0;
}
