/* <string.h> and <strings.h>. */
static int __assay_lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
size_t strlen(const char *s) { size_t n = 0; while (s[n]) n++; return n; }
size_t strnlen(const char *s, size_t most) { size_t n = 0; while (n < most && s[n]) n++; return n; }
char *strcpy(char *to, const char *from) { size_t i = 0; while ((to[i] = from[i])) i++; return to; }
char *stpcpy(char *to, const char *from) { size_t i = 0; while ((to[i] = from[i])) i++; return to + i; }
char *strncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}
char *strcat(char *to, const char *from) {
  size_t n = 0, i = 0;
  while (to[n]) n++;
  while ((to[n + i] = from[i])) i++;
  return to;
}
char *strncat(char *to, const char *from, size_t most) {
  size_t n = 0, i = 0;
  while (to[n]) n++;
  for (; i < most && from[i]; i++) to[n + i] = from[i];
  to[n + i] = 0;
  return to;
}
int strcmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] && a[i] == b[i]) i++;
  return (unsigned char)a[i] - (unsigned char)b[i];
}
int strncmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i]) return (unsigned char)a[i] - (unsigned char)b[i];
    if (!a[i]) return 0;
  }
  return 0;
}
int strcasecmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] && __assay_lower((unsigned char)a[i]) == __assay_lower((unsigned char)b[i])) i++;
  return __assay_lower((unsigned char)a[i]) - __assay_lower((unsigned char)b[i]);
}
int strncasecmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int x = __assay_lower((unsigned char)a[i]), y = __assay_lower((unsigned char)b[i]);
    if (x != y) return x - y;
    if (!x) return 0;
  }
  return 0;
}
char *strchr(const char *s, int c) {
  for (;; s++) {
    if (*s == (char)c) return (char *)s;
    if (!*s) return 0;
  }
}
char *strrchr(const char *s, int c) {
  const char *last = 0;
  for (;; s++) {
    if (*s == (char)c) last = s;
    if (!*s) return (char *)last;
  }
}
char *strstr(const char *s, const char *part) {
  for (;; s++) {
    size_t i = 0;
    while (part[i] && s[i] == part[i]) i++;
    if (!part[i]) return (char *)s;
    if (!*s) return 0;
  }
}
static size_t __assay_while(const char *s, const char *set) {
  size_t n = 0;
  for (; s[n]; n++) {
    size_t i = 0;
    while (set[i] && set[i] != s[n]) i++;
    if (!set[i]) return n;
  }
  return n;
}
static size_t __assay_until(const char *s, const char *set) {
  size_t n = 0;
  for (; s[n]; n++) {
    size_t i = 0;
    while (set[i] && set[i] != s[n]) i++;
    if (set[i]) return n;
  }
  return n;
}
size_t strspn(const char *s, const char *set) { return __assay_while(s, set); }
size_t strcspn(const char *s, const char *set) { return __assay_until(s, set); }
char *strpbrk(const char *s, const char *set) { size_t n = __assay_until(s, set); return s[n] ? (char *)s + n : 0; }
char *strchrnul(const char *s, int c) { while (*s && *s != (char)c) s++; return (char *)s; }
static char *__assay_token(char *s, const char *set, char **rest) {
  if (!s) s = *rest;
  s += __assay_while(s, set);
  if (!*s) { *rest = s; return 0; }
  size_t n = __assay_until(s, set);
  *rest = s[n] ? s + n + 1 : s + n;
  s[n] = 0;
  return s;
}
char *strtok_r(char *s, const char *set, char **rest) { return __assay_token(s, set, rest); }
char *__strtok_r(char *s, const char *set, char **rest) { return __assay_token(s, set, rest); }
static char *__assay_tokens;
char *strtok(char *s, const char *set) { return __assay_token(s, set, &__assay_tokens); }
char *strsep(char **at, const char *set) {
  char *s = *at;
  if (!s) return 0;
  size_t n = __assay_until(s, set);
  if (s[n]) { s[n] = 0; *at = s + n + 1; } else *at = 0;
  return s;
}
char *strdup(const char *s) {
  size_t n = 0, i = 0;
  while (s[n]) n++;
  char *copy = malloc(n + 1);
  if (!copy) return 0;
  for (; i <= n; i++) copy[i] = s[i];
  return copy;
}
char *strndup(const char *s, size_t most) {
  size_t n = 0, i = 0;
  while (n < most && s[n]) n++;
  char *copy = malloc(n + 1);
  if (!copy) return 0;
  for (; i < n; i++) copy[i] = s[i];
  copy[n] = 0;
  return copy;
}
/* All bytes are read, whatever the first difference is. */
int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  __assay_read(a, n);
  __assay_read(b, n);
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}
int bcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  __assay_read(a, n);
  __assay_read(b, n);
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return 1;
  return 0;
}
void *memmove(void *, const void *, size_t);
void bcopy(const void *from, void *to, size_t n) { memmove(to, from, n); }
void *memccpy(void *to, const void *from, int c, size_t n) {
  unsigned char *x = to;
  const unsigned char *y = from;
  for (size_t i = 0; i < n; i++)
    if ((x[i] = y[i]) == (unsigned char)c) return x + i + 1;
  return 0;
}
void *memrchr(const void *s, int c, size_t n) {
  const unsigned char *x = s;
  while (n-- > 0)
    if (x[n] == (unsigned char)c) return (void *)(x + n);
  return 0;
}
void *memchr(const void *s, int c, size_t n) {
  const unsigned char *x = s;
  for (size_t i = 0; i < n; i++)
    if (x[i] == (unsigned char)c) return (void *)(x + i);
  return 0;
}
int ffs(int x) {
  if (!x) return 0;
  int n = 1;
  while (!(x & 1)) { x = (unsigned)x >> 1; n++; }
  return n;
}
int ffsl(long x) { int n = 1; if (!x) return 0; while (!(x & 1)) { x = (unsigned long)x >> 1; n++; } return n; }
int ffsll(long long x) { int n = 1; if (!x) return 0; while (!(x & 1)) { x = (unsigned long long)x >> 1; n++; } return n; }

char *__stpcpy(char *to, const char *from) { size_t i = 0; while ((to[i] = from[i])) i++; return to + i; }
char *stpncpy(char *to, const char *from, size_t n) {
  size_t i = 0, end;
  for (; i < n && from[i]; i++) to[i] = from[i];
  end = i;
  for (; i < n; i++) to[i] = 0;
  return to + end;
}
int strcoll(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] && a[i] == b[i]) i++;
  return (unsigned char)a[i] - (unsigned char)b[i];
}
size_t strxfrm(char *to, const char *from, size_t n) {
  size_t length = 0;
  while (from[length]) length++;
  for (size_t i = 0; i < n && i <= length; i++) to[i] = from[i];
  return length;
}
char *index(const char *s, int c) {
  for (;; s++) {
    if (*s == (char)c) return (char *)s;
    if (!*s) return 0;
  }
}
char *rindex(const char *s, int c) {
  const char *last = 0;
  for (;; s++) {
    if (*s == (char)c) last = s;
    if (!*s) return (char *)last;
  }
}
char *strcasestr(const char *s, const char *part) {
  for (;; s++) {
    size_t i = 0;
    while (part[i] && __assay_lower((unsigned char)s[i]) == __assay_lower((unsigned char)part[i])) i++;
    if (!part[i]) return (char *)s;
    if (!*s) return 0;
  }
}
void *rawmemchr(const void *s, int c) {
  const unsigned char *x = s;
  while (*x != (unsigned char)c) x++;
  return (void *)x;
}
void *memmem(const void *s, size_t n, const void *part, size_t m) {
  const unsigned char *x = s, *y = part;
  if (m > n) return 0;
  for (size_t i = 0; i <= n - m; i++) {
    size_t j = 0;
    while (j < m && x[i + j] == y[j]) j++;
    if (j == m) return (void *)(x + i);
  }
  return 0;
}
void *memfrob(void *s, size_t n) {
  unsigned char *x = s;
  for (size_t i = 0; i < n; i++) x[i] ^= 42;
  return s;
}
size_t strlcpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; from[i]; i++) if (i + 1 < n) to[i] = from[i];
  if (n) to[i < n ? i : n - 1] = 0;
  return i;
}
size_t strlcat(char *to, const char *from, size_t n) {
  size_t start = 0, i = 0;
  while (start < n && to[start]) start++;
  for (; from[i]; i++) if (start + i + 1 < n) to[start + i] = from[i];
  if (start < n) to[start + i < n ? start + i : n - 1] = 0;
  return start + i;
}
char *__strdup(const char *s) {
  size_t n = 0, i = 0;
  while (s[n]) n++;
  char *copy = malloc(n + 1);
  if (!copy) return 0;
  for (; i <= n; i++) copy[i] = s[i];
  return copy;
}
char *__strndup(const char *s, size_t most) {
  size_t n = 0, i = 0;
  while (n < most && s[n]) n++;
  char *copy = malloc(n + 1);
  if (!copy) return 0;
  for (; i < n; i++) copy[i] = s[i];
  copy[n] = 0;
  return copy;
}
/* What the compiler makes of calls whose object it knows; a size that is too small ends the program, which ASan would have done before. */
char *__strcpy_chk(char *to, const char *from, size_t size) { size_t i = 0; while ((to[i] = from[i])) i++; return to; }
char *__stpcpy_chk(char *to, const char *from, size_t size) { size_t i = 0; while ((to[i] = from[i])) i++; return to + i; }
char *__strncpy_chk(char *to, const char *from, size_t n, size_t size) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}
char *__stpncpy_chk(char *to, const char *from, size_t n, size_t size) {
  size_t i = 0, end;
  for (; i < n && from[i]; i++) to[i] = from[i];
  end = i;
  for (; i < n; i++) to[i] = 0;
  return to + end;
}
char *__strcat_chk(char *to, const char *from, size_t size) {
  size_t n = 0, i = 0;
  while (to[n]) n++;
  while ((to[n + i] = from[i])) i++;
  return to;
}
char *__strncat_chk(char *to, const char *from, size_t most, size_t size) {
  size_t n = 0, i = 0;
  while (to[n]) n++;
  for (; i < most && from[i]; i++) to[n + i] = from[i];
  to[n + i] = 0;
  return to;
}
/* Numbers inside the names are compared as numbers; a leading zero makes them fractions. */
int strverscmp(const char *a, const char *b) {
  static const unsigned char next[] = {0, 3, 6, 0, 6, 6, 0, 9, 9, 0, 0, 9};
  const unsigned char *p = (const unsigned char *)a, *q = (const unsigned char *)b;
  int digit, zeros = 1;
  size_t i = 0, start = 0, j;
  for (; p[i] == q[i]; i++) {
    if (!p[i]) return 0;
    digit = p[i] >= '0' && p[i] <= '9';
    if (!digit) { start = i + 1; zeros = 1; }
    else if (p[i] != '0') zeros = 0;
  }
  if (p[start] - '1' < 9u && q[start] - '1' < 9u) {
    for (j = i; p[j] - '0' < 10u; j++) if (!(q[j] - '0' < 10u)) return 1;
    if (q[j] - '0' < 10u) return -1;
  } else if (zeros && start < i && (p[i] - '0' < 10u || q[i] - '0' < 10u)) return (unsigned char)(p[i] - '0') - (unsigned char)(q[i] - '0');
  return p[i] - q[i];
}
char *basename(const char *path) {
  const char *last = path;
  for (; *path; path++) if (*path == '/') last = path + 1;
  return (char *)last;
}
char *__xpg_basename(char *path) {
  size_t end = 0, start;
  if (!path || !*path) return ".";
  while (path[end]) end++;
  while (end > 1 && path[end - 1] == '/') end--;
  if (end == 1 && path[0] == '/') { return path[1] ? path + 0 : path; }
  start = end;
  while (start > 0 && path[start - 1] != '/') start--;
  path[end] = 0;
  return path + start;
}
char *dirname(char *path) {
  size_t end = 0, slashes;
  if (!path) return ".";
  while (path[end]) end++;
  while (end > 1 && path[end - 1] == '/') end--;
  while (end > 0 && path[end - 1] != '/') end--;
  if (end == 0) return ".";
  slashes = end;
  while (slashes > 1 && path[slashes - 1] == '/') slashes--;
  if (slashes == 1 && path[0] == '/' && end == 2 && path[1] == '/') slashes = 2;
  path[slashes] = 0;
  return path;
}
