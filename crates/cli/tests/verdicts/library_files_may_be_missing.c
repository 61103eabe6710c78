// expect: false(unreach-call)
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  FILE *file = fopen("settings", "r");
  if (!file) reach_error();
  fclose(file);
  return 0;
}
