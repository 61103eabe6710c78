// expect: false(valid-memtrack) property: valid-memsafety
// The copy is never freed.
#define _GNU_SOURCE
#include <wchar.h>
int main(void) {
  wchar_t *copy = wcsdup(L"ab");
  copy[2] = 0;
  copy = 0;
  return 0;
}
