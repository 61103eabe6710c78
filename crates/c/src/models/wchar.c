/* <wchar.h> and <wctype.h> in the locale "C". */
static wchar_t __assay_wlower(wchar_t c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
size_t wcslen(const wchar_t *s) { size_t n = 0; while (s[n]) n++; return n; }
size_t wcsnlen(const wchar_t *s, size_t most) { size_t n = 0; while (n < most && s[n]) n++; return n; }
wchar_t *wcscpy(wchar_t *to, const wchar_t *from) { size_t i = 0; while ((to[i] = from[i])) i++; return to; }
wchar_t *wcpcpy(wchar_t *to, const wchar_t *from) { size_t i = 0; while ((to[i] = from[i])) i++; return to + i; }
wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}
wchar_t *wcpncpy(wchar_t *to, const wchar_t *from, size_t n) {
  size_t i = 0, end;
  for (; i < n && from[i]; i++) to[i] = from[i];
  end = i;
  for (; i < n; i++) to[i] = 0;
  return to + end;
}
wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
  size_t n = 0, i = 0;
  while (to[n]) n++;
  while ((to[n + i] = from[i])) i++;
  return to;
}
wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t most) {
  size_t n = 0, i = 0;
  while (to[n]) n++;
  for (; i < most && from[i]; i++) to[n + i] = from[i];
  to[n + i] = 0;
  return to;
}
static int __assay_worder(wchar_t a, wchar_t b) { return a < b ? -1 : a > b; }
int wcscmp(const wchar_t *a, const wchar_t *b) {
  size_t i = 0;
  while (a[i] && a[i] == b[i]) i++;
  return __assay_worder(a[i], b[i]);
}
int wcscoll(const wchar_t *a, const wchar_t *b) {
  size_t i = 0;
  while (a[i] && a[i] == b[i]) i++;
  return __assay_worder(a[i], b[i]);
}
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i]) return __assay_worder(a[i], b[i]);
    if (!a[i]) return 0;
  }
  return 0;
}
int wcscasecmp(const wchar_t *a, const wchar_t *b) {
  size_t i = 0;
  while (a[i] && __assay_wlower(a[i]) == __assay_wlower(b[i])) i++;
  return __assay_worder(__assay_wlower(a[i]), __assay_wlower(b[i]));
}
int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    wchar_t x = __assay_wlower(a[i]), y = __assay_wlower(b[i]);
    if (x != y) return __assay_worder(x, y);
    if (!x) return 0;
  }
  return 0;
}
wchar_t *wcschr(const wchar_t *s, wchar_t c) {
  for (;; s++) {
    if (*s == c) return (wchar_t *)s;
    if (!*s) return 0;
  }
}
wchar_t *wcschrnul(const wchar_t *s, wchar_t c) { while (*s && *s != c) s++; return (wchar_t *)s; }
wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
  const wchar_t *last = 0;
  for (;; s++) {
    if (*s == c) last = s;
    if (!*s) return (wchar_t *)last;
  }
}
static size_t __assay_wspan(const wchar_t *s, const wchar_t *set, int inside) {
  size_t n = 0;
  for (; s[n]; n++) {
    size_t i = 0;
    while (set[i] && set[i] != s[n]) i++;
    if ((set[i] != 0) != inside) return n;
  }
  return n;
}
size_t wcsspn(const wchar_t *s, const wchar_t *set) { return __assay_wspan(s, set, 1); }
size_t wcscspn(const wchar_t *s, const wchar_t *set) { return __assay_wspan(s, set, 0); }
wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set) { size_t n = __assay_wspan(s, set, 0); return s[n] ? (wchar_t *)s + n : 0; }
static wchar_t *__assay_wfind(const wchar_t *s, const wchar_t *part) {
  for (;; s++) {
    size_t i = 0;
    while (part[i] && s[i] == part[i]) i++;
    if (!part[i]) return (wchar_t *)s;
    if (!*s) return 0;
  }
}
wchar_t *wcsstr(const wchar_t *s, const wchar_t *part) { return __assay_wfind(s, part); }
wchar_t *wcswcs(const wchar_t *s, const wchar_t *part) { return __assay_wfind(s, part); }
wchar_t *wcstok(wchar_t *s, const wchar_t *set, wchar_t **rest) {
  size_t n;
  if (!s) s = *rest;
  if (!s) return 0;
  s += __assay_wspan(s, set, 1);
  if (!*s) { *rest = 0; return 0; }
  n = __assay_wspan(s, set, 0);
  if (s[n]) { s[n] = 0; *rest = s + n + 1; } else *rest = 0;
  return s;
}
wchar_t *wcsdup(const wchar_t *s) {
  size_t n = 0, i = 0;
  while (s[n]) n++;
  wchar_t *copy = malloc((n + 1) * sizeof(wchar_t));
  if (!copy) return 0;
  for (; i <= n; i++) copy[i] = s[i];
  return copy;
}
wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++) if (s[i] == c) return (wchar_t *)s + i;
  return 0;
}
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
  __assay_read(a, n * sizeof(wchar_t));
  __assay_read(b, n * sizeof(wchar_t));
  for (size_t i = 0; i < n; i++) if (a[i] != b[i]) return __assay_worder(a[i], b[i]);
  return 0;
}
wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n) { for (size_t i = 0; i < n; i++) to[i] = from[i]; return to; }
wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n) { for (size_t i = 0; i < n; i++) to[i] = from[i]; return to + n; }
void *memmove(void *, const void *, size_t);
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) { memmove(to, from, n * sizeof(wchar_t)); return to; }
wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n) { for (size_t i = 0; i < n; i++) to[i] = c; return to; }
size_t wcsxfrm(wchar_t *to, const wchar_t *from, size_t n) {
  size_t length = 0;
  while (from[length]) length++;
  for (size_t i = 0; i < n && i <= length; i++) to[i] = from[i];
  return length;
}
wint_t btowc(int c) { return c >= 0 && c < 128 ? (wint_t)c : (wint_t)-1; }
int wctob(wint_t c) { return c < 128 ? (int)c : -1; }
int mbsinit(const void *state) { return !state || *(const int *)state == 0; }
__ASSAY_DIGITS(__assay_wdigits, wchar_t)
unsigned long wcstoul(const wchar_t *s, wchar_t **end, int base) {
  int negative, over;
  unsigned long v = (unsigned long)__assay_wdigits(s, end, base, &negative, &over, -1ul, -1ul);
  return negative && !over ? 0ul - v : v;
}
long wcstol(const wchar_t *s, wchar_t **end, int base) {
  int negative, over;
  unsigned long v = (unsigned long)__assay_wdigits(s, end, base, &negative, &over, -1ul >> 1, (-1ul >> 1) + 1);
  return (long)(negative ? 0ul - v : v);
}
static unsigned long long __assay_wunsigned(const wchar_t *s, wchar_t **end, int base) {
  int negative, over;
  unsigned long long v = __assay_wdigits(s, end, base, &negative, &over, -1ull, -1ull);
  return negative && !over ? 0ull - v : v;
}
static long long __assay_wsigned(const wchar_t *s, wchar_t **end, int base) {
  int negative, over;
  unsigned long long v = __assay_wdigits(s, end, base, &negative, &over, -1ull >> 1, (-1ull >> 1) + 1);
  return (long long)(negative ? 0ull - v : v);
}
unsigned long long wcstoull(const wchar_t *s, wchar_t **end, int base) { return __assay_wunsigned(s, end, base); }
unsigned long long wcstouq(const wchar_t *s, wchar_t **end, int base) { return __assay_wunsigned(s, end, base); }
uintmax_t wcstoumax(const wchar_t *s, wchar_t **end, int base) { return __assay_wunsigned(s, end, base); }
long long wcstoll(const wchar_t *s, wchar_t **end, int base) { return __assay_wsigned(s, end, base); }
long long wcstoq(const wchar_t *s, wchar_t **end, int base) { return __assay_wsigned(s, end, base); }
intmax_t wcstoimax(const wchar_t *s, wchar_t **end, int base) { return __assay_wsigned(s, end, base); }
int iswdigit(wint_t c) { return c >= '0' && c <= '9'; }
int iswupper(wint_t c) { return c >= 'A' && c <= 'Z'; }
int iswlower(wint_t c) { return c >= 'a' && c <= 'z'; }
int iswalpha(wint_t c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
int iswalnum(wint_t c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
int iswspace(wint_t c) { return c == ' ' || (c >= 9 && c <= 13); }
int iswblank(wint_t c) { return c == ' ' || c == 9; }
int iswcntrl(wint_t c) { return c < 32 || c == 127; }
int iswprint(wint_t c) { return c >= 32 && c < 127; }
int iswgraph(wint_t c) { return c > 32 && c < 127; }
int iswxdigit(wint_t c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); }
int iswpunct(wint_t c) { return c > 32 && c < 127 && !((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')); }
wint_t towlower(wint_t c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
wint_t towupper(wint_t c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
