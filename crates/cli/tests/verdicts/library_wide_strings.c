// expect: true
// `wcs*`, `wmem*` and the classes of wide characters.
#include <wchar.h>
#include <wctype.h>
extern void reach_error(void);
#define CHECK(condition) \
  if (!(condition)) reach_error();
int main(void) {
  wchar_t a[10], *end;
  CHECK(wcslen(L"abc") == 3 && wcscpy(a, L"abc") == a && wcscmp(a, L"abc") == 0 && wcscmp(L"a", L"b") < 0)
  CHECK(wcscat(a, L"de") == a && wcslen(a) == 5 && wcsncmp(a, L"abx", 2) == 0)
  CHECK(wcschr(a, L'd') == a + 3 && wcsrchr(a, L'x') == 0 && wcsstr(a, L"cd") == a + 2)
  CHECK(wcsspn(a, L"ab") == 2 && wcscspn(a, L"e") == 4 && wcspbrk(a, L"xc") == a + 2)
  CHECK(wmemset(a, L'q', 2)[1] == L'q' && a[2] == L'c' && wmemchr(a, L'c', 3) == a + 2)
  CHECK(wmemcpy(a, L"xyz", 3) == a && wmemcmp(a, L"xya", 3) > 0)
  CHECK(wcstol(L"12z", &end, 10) == 12 && *end == L'z' && wcstoul(L"ff", 0, 16) == 255)
  CHECK(iswalpha(L'a') && !iswalpha(L'1') && iswdigit(L'7') && iswspace(L' ') && !iswupper(L'a') && iswxdigit(L'f'))
  CHECK(towupper(L'a') == L'A' && towlower(L'Z') == L'z' && towupper(L'1') == L'1')
  return 0;
}
