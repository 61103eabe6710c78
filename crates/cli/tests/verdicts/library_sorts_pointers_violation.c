// expect: false(unreach-call)
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
int main(void) {
  char *words[3] = {"pear", "fig", "apple"};
  qsort(words, 3, sizeof *words, by_text);
  if (words[0][1] == 'p') reach_error();
  return 0;
}
