// expect: true property: all
#include <stdlib.h>
#include <string.h>
struct item { char name[8]; int count; };
int main(void) {
  struct item *items = malloc(3 * sizeof *items);
  if (!items)
    return 1;
  for (int i = 0; i < 3; i++) {
    strcpy(items[i].name, "item");
    items[i].count = i;
  }
  int total = 0;
  for (int i = 0; i < 3; i++)
    if (strlen(items[i].name) == 4)
      total += items[i].count;
  free(items);
  return total;
}
