// expect: true
// `mem*` and their older kin: results are places, overlapping moves keep what they move.
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>
extern void reach_error(void);
#define CHECK(condition) \
  if (!(condition)) reach_error();
int main(void) {
  char a[8] = "abcabc", b[8];
  CHECK(memchr(a, 'c', 8) == a + 2)
  CHECK(memchr(a, 'c', 2) == 0)
  CHECK(memrchr(a, 'c', 8) == a + 5)
  CHECK(rawmemchr(a, 0) == a + 6)
  CHECK(mempcpy(b, a, 3) == b + 3)
  CHECK(b[2] == 'c')
  memmove(a + 2, a, 4);
  CHECK(!memcmp(a, "ababca", 6))
  memmove(a, a + 1, 5);
  CHECK(!memcmp(a, "babca", 5))
  CHECK(memcmp("a", "b", 1) < 0 && memcmp("\xff", "\1", 1) > 0 && memcmp("x", "y", 0) == 0)
  CHECK(memccpy(b, "xyz", 'y', 3) == b + 2)
  CHECK(memccpy(b, "xyz", 'q', 3) == 0)
  CHECK(memmem("hello", 5, "ll", 2) != 0 && memmem("hello", 3, "ll", 2) == 0)
  memset(b, 0x105, 2);
  CHECK(b[0] == 5 && b[1] == 5 && b[2] == 'z')
  bzero(b, 1);
  bcopy("qr", b + 1, 2);
  CHECK(b[0] == 0 && b[1] == 'q' && b[2] == 'r' && bcmp(b + 1, "qr", 2) == 0)
  return 0;
}
