// expect: true
// `str*`: places, spans, padding and terminators.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <strings.h>
extern void reach_error(void);
#define CHECK(condition) \
  if (!(condition)) reach_error();
int main(void) {
  char a[12] = "one", *s = "a/bc/d", *p;
  CHECK(strrchr(s, '/') == s + 4 && strchr(s, '/') == s + 1 && strchr(s, 0) == s + 6 && strrchr(s, 'x') == 0)
  CHECK(strstr(s, "bc") == s + 2 && strstr(s, "") == s && strstr(s, "cb") == 0)
  CHECK(strspn("aabc", "ba") == 3 && strcspn("aabc", "c") == 3 && strcspn("abc", "") == 3)
  CHECK(strpbrk(s, "cb") == s + 2 && strpbrk(s, "x") == 0)
  CHECK(strnlen("abc", 2) == 2 && strnlen("a", 9) == 1)
  a[5] = 'z';
  strncpy(a, "xy", 5);
  CHECK(a[1] == 'y' && a[2] == 0 && a[4] == 0 && a[5] == 'z')
  strncpy(a, "pqrs", 2);
  CHECK(a[0] == 'p' && a[1] == 'q' && a[2] == 0)
  strncat(a, "mnop", 2);
  CHECK(!strcmp(a, "pqmn"))
  CHECK(stpcpy(a, "abc") == a + 3)
  CHECK(strcasecmp("AbC", "aBc") == 0 && strncasecmp("ABx", "aby", 2) == 0 && strcasecmp("a", "B") < 0)
  p = strndup("abcdef", 3);
  CHECK(!strcmp(p, "abc"))
  free(p);
  char list[] = "a,,b";
  p = list;
  CHECK(strsep(&p, ",") == list && p == list + 2 && *strsep(&p, ",") == 0 && *strsep(&p, ",") == 'b' && p == 0)
  return 0;
}
