// expect: true
// A percent sign before an n is not yet `%n`.
int printf(const char *format, ...);
void reach_error(void) {}

int main(void) {
  int count = 0;
  printf("100%%n, %dn, %-8.3s in %lu\n", 7, "none", 8ul);
  if (count != 0)
    reach_error();
  return 0;
}
