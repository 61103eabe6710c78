// expect: unknown
#include <string.h>
extern void reach_error(void);
int main(void) {
  char text[] = "a,b";
  strtok(text, ",");
  if (text[1] == 0)
    reach_error();
  return 0;
}
