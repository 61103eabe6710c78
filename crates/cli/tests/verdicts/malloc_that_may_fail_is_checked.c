// expect: true property: valid-memsafety malloc-may-fail
// Every result is looked at before it is used, and a failing `realloc` leaves the old object to be freed.
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *a = malloc(4);
  if (!a) return 1;
  a[0] = 'x';
  char *b = realloc(a, 8);
  if (!b) {
    free(a);
    return 1;
  }
  b[7] = 0;
  free(b);
  int *c = calloc(3, sizeof *c);
  if (c) c[2] = 1;
  free(c);
  char *d = strdup("ab");
  if (d) d[2] = 0;
  free(d);
  return 0;
}
