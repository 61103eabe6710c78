// expect: true
// What compilers make of string functions where they know the size writes as the functions do.
#include <string.h>
extern void reach_error(void);
#define CHECK(condition) \
  if (!(condition)) reach_error();
int main(void) {
  char a[10] = "";
  __builtin___strcpy_chk(a, "ab", sizeof a);
  CHECK(a[1] == 'b' && a[2] == 0)
  __builtin___strcat_chk(a, "cd", sizeof a);
  CHECK(!strcmp(a, "abcd"))
  __builtin___strncpy_chk(a, "xyz", 2, sizeof a);
  CHECK(!strcmp(a, "xycd"))
  __builtin___strncat_chk(a, "mno", 1, sizeof a);
  CHECK(!strcmp(a, "xycdm"))
  CHECK(__builtin___stpcpy_chk(a, "q", sizeof a) == a + 1)
  __builtin___memmove_chk(a + 1, "rs", 3, sizeof a - 1);
  CHECK(!strcmp(a, "qrs"))
  CHECK((char *)__builtin___mempcpy_chk(a, "tu", 2, sizeof a) == a + 2)
  CHECK(!strcmp(a, "tus"))
  return 0;
}
