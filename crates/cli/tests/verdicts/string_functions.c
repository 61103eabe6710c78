// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

#include <string.h>
int main(void) {
  char a[10];
  strcpy(a, "abc");
  check(strlen(a) == 3);
  check(strcmp(a, "abc") == 0);
  check(strcmp(a, "abd") < 0);
  strcat(a, "de");
  check(strlen(a) == 5 && a[4] == 'e');
  check(strchr(a, 'c') == a + 2);
  check(strncmp(a, "abX", 2) == 0);
  return 0;
}
