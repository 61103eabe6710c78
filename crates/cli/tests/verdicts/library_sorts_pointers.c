// expect: true
// Pointers that are sorted lead where they led; what has other sizes is sorted as well.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_target(const void *a, const void *b) { return **(int *const *)a - **(int *const *)b; }
static int by_byte(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
struct entry {
  char name[3];
};
int main(void) {
  char *words[3] = {"pear", "fig", "apple"};
  qsort(words, 3, sizeof *words, by_text);
  if (strcmp(words[0], "apple") || strcmp(words[1], "fig") || strcmp(words[2], "pear")) reach_error();
  int x = 3, y = 1, *both[2] = {&x, &y};
  qsort(both, 2, sizeof *both, by_target);
  if (both[0] != &y || both[1] != &x) reach_error();
  struct entry entries[3] = {{"c"}, {"a"}, {"b"}};
  qsort(entries, 3, sizeof *entries, by_byte);
  if (entries[0].name[0] != 'a' || entries[2].name[0] != 'c') reach_error();
  char letters[] = "hello";
  qsort(letters, 5, 1, by_byte);
  if (strcmp(letters, "ehllo")) reach_error();
  return 0;
}
