/* <stdlib.h>, <inttypes.h> and <search.h>. */
int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
intmax_t imaxabs(intmax_t x) { return x < 0 ? -x : x; }
typedef struct { int quot, rem; } __assay_div;
typedef struct { long quot, rem; } __assay_ldiv;
typedef struct { long long quot, rem; } __assay_lldiv;
typedef struct { intmax_t quot, rem; } __assay_imaxdiv;
__assay_div div(int a, int b) { __assay_div r; r.quot = a / b; r.rem = a % b; return r; }
__assay_ldiv ldiv(long a, long b) { __assay_ldiv r; r.quot = a / b; r.rem = a % b; return r; }
__assay_lldiv lldiv(long long a, long long b) { __assay_lldiv r; r.quot = a / b; r.rem = a % b; return r; }
__assay_imaxdiv imaxdiv(intmax_t a, intmax_t b) { __assay_imaxdiv r; r.quot = a / b; r.rem = a % b; return r; }

__ASSAY_DIGITS(__assay_digits, char)
static unsigned long __assay_unsigned_long(const char *s, char **end, int base) {
  int negative, over;
  unsigned long v = (unsigned long)__assay_digits(s, end, base, &negative, &over, -1ul, -1ul);
  return negative && !over ? 0ul - v : v;
}
static unsigned long long __assay_unsigned_long_long(const char *s, char **end, int base) {
  int negative, over;
  unsigned long long v = __assay_digits(s, end, base, &negative, &over, -1ull, -1ull);
  return negative && !over ? 0ull - v : v;
}
static long __assay_long(const char *s, char **end, int base) {
  int negative, over;
  unsigned long v = (unsigned long)__assay_digits(s, end, base, &negative, &over, -1ul >> 1, (-1ul >> 1) + 1);
  return (long)(negative ? 0ul - v : v);
}
static long long __assay_long_long(const char *s, char **end, int base) {
  int negative, over;
  unsigned long long v = __assay_digits(s, end, base, &negative, &over, -1ull >> 1, (-1ull >> 1) + 1);
  return (long long)(negative ? 0ull - v : v);
}
unsigned long strtoul(const char *s, char **end, int base) { return __assay_unsigned_long(s, end, base); }
unsigned long long strtoull(const char *s, char **end, int base) { return __assay_unsigned_long_long(s, end, base); }
unsigned long long strtouq(const char *s, char **end, int base) { return __assay_unsigned_long_long(s, end, base); }
uintmax_t strtoumax(const char *s, char **end, int base) { return __assay_unsigned_long_long(s, end, base); }
long strtol(const char *s, char **end, int base) { return __assay_long(s, end, base); }
long long strtoll(const char *s, char **end, int base) { return __assay_long_long(s, end, base); }
long long strtoq(const char *s, char **end, int base) { return __assay_long_long(s, end, base); }
intmax_t strtoimax(const char *s, char **end, int base) { return __assay_long_long(s, end, base); }
/* The names that C23's headers use: they also know binary numbers, as this does not. */
static int __assay_binary(const char *s, int base) {
  if (base != 0 && base != 2) return 0;
  while (*s == ' ' || (*s >= 9 && *s <= 13)) s++;
  if (*s == '-' || *s == '+') s++;
  return s[0] == '0' && (s[1] == 'b' || s[1] == 'B');
}
unsigned long __isoc23_strtoul(const char *s, char **end, int base) {
  if (__assay_binary(s, base)) __assay_unknown_effects();
  return __assay_unsigned_long(s, end, base);
}
unsigned long long __isoc23_strtoull(const char *s, char **end, int base) {
  if (__assay_binary(s, base)) __assay_unknown_effects();
  return __assay_unsigned_long_long(s, end, base);
}
uintmax_t __isoc23_strtoumax(const char *s, char **end, int base) {
  if (__assay_binary(s, base)) __assay_unknown_effects();
  return __assay_unsigned_long_long(s, end, base);
}
long __isoc23_strtol(const char *s, char **end, int base) {
  if (__assay_binary(s, base)) __assay_unknown_effects();
  return __assay_long(s, end, base);
}
long long __isoc23_strtoll(const char *s, char **end, int base) {
  if (__assay_binary(s, base)) __assay_unknown_effects();
  return __assay_long_long(s, end, base);
}
intmax_t __isoc23_strtoimax(const char *s, char **end, int base) {
  if (__assay_binary(s, base)) __assay_unknown_effects();
  return __assay_long_long(s, end, base);
}
long __strtol_internal(const char *s, char **end, int base, int group) { return __assay_long(s, end, base); }
unsigned long __strtoul_internal(const char *s, char **end, int base, int group) { return __assay_unsigned_long(s, end, base); }
long atol(const char *s) { return __assay_long(s, 0, 10); }
long long atoll(const char *s) { return __assay_long_long(s, 0, 10); }
int atoi(const char *s) { return (int)__assay_long(s, 0, 10); }

/* A decimal number as m * 10^e, if m has at most 19 digits that matter; or an infinity or NaN. */
struct __assay_decimal { int kind, negative, lost; unsigned long long m; long e; };
enum { __assay_none, __assay_number, __assay_infinity, __assay_nan, __assay_hexadecimal };
static int __assay_same(const char *s, const char *word) {
  size_t i = 0;
  for (; word[i]; i++) if ((s[i] >= 'A' && s[i] <= 'Z' ? s[i] + 32 : s[i]) != word[i]) return 0;
  return 1;
}
static void __assay_parse(const char *s, char **end, struct __assay_decimal *d) {
  const char *start = s, *mark;
  int digits = 0, point = 0, any = 0, hex;
  long e = 0;
  d->kind = __assay_none; d->negative = 0; d->lost = 0; d->m = 0; d->e = 0;
  while (*s == ' ' || (*s >= 9 && *s <= 13)) s++;
  if (*s == '-' || *s == '+') d->negative = *s++ == '-';
  if (__assay_same(s, "inf")) {
    d->kind = __assay_infinity;
    s += __assay_same(s, "infinity") ? 8 : 3;
    if (end) *end = (char *)s;
    return;
  }
  if (__assay_same(s, "nan")) {
    d->kind = __assay_nan;
    s += 3;
    if (*s == '(') {
      size_t i = 1;
      while ((s[i] >= '0' && s[i] <= '9') || (s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z') || s[i] == '_') i++;
      if (s[i] == ')') s += i + 1;
    }
    if (end) *end = (char *)s;
    return;
  }
  hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
        && ((s[2] >= '0' && s[2] <= '9') || (s[2] >= 'a' && s[2] <= 'f') || (s[2] >= 'A' && s[2] <= 'F')
            || (s[2] == '.' && ((s[3] >= '0' && s[3] <= '9') || (s[3] >= 'a' && s[3] <= 'f') || (s[3] >= 'A' && s[3] <= 'F'))));
  if (hex) s += 2;
  for (;; s++) {
    unsigned digit = *s >= '0' && *s <= '9' ? *s - '0' : hex && *s >= 'a' && *s <= 'f' ? *s - 'a' + 10 : hex && *s >= 'A' && *s <= 'F' ? *s - 'A' + 10 : 99;
    if (*s == '.' && !point) { point = 1; continue; }
    if (digit > 15) break;
    any = 1;
    if (digits < (hex ? 16 : 19) && (digits || digit)) { d->m = d->m * (hex ? 16 : 10) + digit; digits++; if (point) e -= hex ? 4 : 1; }
    else if (!digits) { if (point) e -= hex ? 4 : 1; }
    else { if (digit) d->lost = 1; if (!point) e += hex ? 4 : 1; }
  }
  if (!any) { if (end) *end = (char *)start; return; }
  d->kind = hex ? __assay_hexadecimal : __assay_number;
  mark = s;
  if (hex ? *s == 'p' || *s == 'P' : *s == 'e' || *s == 'E') {
    int minus = 0;
    long power = 0;
    s++;
    if (*s == '-' || *s == '+') minus = *s++ == '-';
    if (*s >= '0' && *s <= '9') {
      for (; *s >= '0' && *s <= '9'; s++) if (power < 100000) power = power * 10 + (*s - '0');
      e += minus ? -power : power;
      mark = s;
    }
  }
  if (end) *end = (char *)mark;
  /* Zeros at the end belong to the power. */
  if (!hex) while (d->m && d->m % 10 == 0) { d->m /= 10; e++; }
  else while (d->m && d->m % 2 == 0) { d->m /= 2; e++; }
  d->e = e;
}
/* Exact where one operation on exact operands gives the number; any value of the right sign elsewhere. */
#define __ASSAY_TO_FLOAT(type, name, limit, most, ten, low, high, binary, infinity, nan_value) \
static type name(const char *s, char **end) { \
  struct __assay_decimal d; \
  type value, power = 1; \
  __assay_parse(s, end, &d); \
  if (d.kind == __assay_none) return 0; \
  if (d.kind == __assay_infinity) value = infinity; \
  else if (d.kind == __assay_nan) value = nan_value; \
  else if (d.m == 0) value = 0; \
  else if (d.kind == __assay_number && !d.lost && d.m <= limit && d.e <= most && d.e >= -most) { \
    for (long i = d.e < 0 ? -d.e : d.e; i > 0; i--) power *= 10; \
    value = d.e < 0 ? (type)d.m / power : (type)d.m * power; \
  } else if (d.kind == __assay_hexadecimal && !d.lost && d.m <= limit && d.e <= binary && d.e >= -binary) { \
    for (long i = d.e < 0 ? -d.e : d.e; i > 0; i--) power *= 2; \
    value = d.e < 0 ? (type)d.m / power : (type)d.m * power; \
  } else if (d.kind == __assay_number && d.e > high) value = infinity; \
  else if (d.kind == __assay_number && d.e < low) value = 0; \
  else { value = (type)__assay_any_double(); __VERIFIER_assume(value >= 0); if (sizeof(type) > 8) value = value * (1 + (type)__assay_any_double()); } \
  return d.negative ? -value : value; \
}
__ASSAY_TO_FLOAT(double, __assay_double, (1ull << 53), 22, 10, -400, 400, 900, __builtin_inf(), __builtin_nan(""))
__ASSAY_TO_FLOAT(float, __assay_float, (1ull << 24), 10, 10, -100, 100, 100, __builtin_inff(), __builtin_nanf(""))
__ASSAY_TO_FLOAT(long double, __assay_long_double, -1ull, 27, 10, -6000, 6000, 9000, __builtin_infl(), __builtin_nanl(""))
double strtod(const char *s, char **end) { return __assay_double(s, end); }
float strtof(const char *s, char **end) { return __assay_float(s, end); }
long double strtold(const char *s, char **end) { return __assay_long_double(s, end); }
double atof(const char *s) { return __assay_double(s, 0); }

int posix_memalign(void **p, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || (alignment & (alignment - 1)) || !alignment) return 22;
  void *new = malloc(size);
  if (!new) return 12;
  *p = new;
  return 0;
}
void *reallocarray(void *p, size_t count, size_t size) {
  if (size && count > (size_t)-1 / size) return 0;
  return realloc(p, count * size);
}
// Pointers are moved as a whole: their bytes alone lead nowhere.
static void __assay_swap(unsigned char *a, unsigned char *b, size_t size) {
  if (size % sizeof(void *) == 0) {
    for (size_t k = 0; k < size; k += sizeof(void *)) {
      void *word = *(void **)(a + k);
      *(void **)(a + k) = *(void **)(b + k);
      *(void **)(b + k) = word;
    }
    return;
  }
  if (size == sizeof(int)) {
    int word = *(int *)a;
    *(int *)a = *(int *)b;
    *(int *)b = word;
    return;
  }
  for (size_t k = 0; k < size; k++) { unsigned char byte = a[k]; a[k] = b[k]; b[k] = byte; }
}
void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  unsigned char *bytes = items;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && compare(bytes + (j - 1) * size, bytes + j * size) > 0; j--)
      __assay_swap(bytes + (j - 1) * size, bytes + j * size, size);
}
void qsort_r(void *items, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *with) {
  unsigned char *bytes = items;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && compare(bytes + (j - 1) * size, bytes + j * size, with) > 0; j--)
      __assay_swap(bytes + (j - 1) * size, bytes + j * size, size);
}
void *bsearch(const void *key, const void *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *at = (const char *)items + middle * size;
    int order = compare(key, at);
    if (order == 0) return (void *)at;
    if (order < 0) high = middle; else low = middle + 1;
  }
  return 0;
}
void *lfind(const void *key, const void *items, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
  for (size_t i = 0; i < *count; i++)
    if (compare(key, (const char *)items + i * size) == 0) return (char *)items + i * size;
  return 0;
}
void *lsearch(const void *key, void *items, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
  for (size_t i = 0; i < *count; i++)
    if (compare(key, (const char *)items + i * size) == 0) return (char *)items + i * size;
  __builtin_memcpy((char *)items + *count * size, key, size);
  return (char *)items + (*count)++ * size;
}
struct __assay_link { struct __assay_link *next, *before; };
void insque(void *item, void *after) {
  struct __assay_link *i = item, *a = after;
  if (!a) { i->next = 0; i->before = 0; return; }
  i->next = a->next;
  i->before = a;
  if (a->next) a->next->before = i;
  a->next = i;
}
void remque(void *item) {
  struct __assay_link *i = item;
  if (i->next) i->next->before = i->before;
  if (i->before) i->before->next = i->next;
}
void swab(const void *from, void *to, ssize_t n) {
  const char *f = from;
  char *t = to;
  for (n &= ~(ssize_t)1; n > 1; n -= 2) {
    char a = f[n - 1], b = f[n - 2];
    t[n - 1] = b;
    t[n - 2] = a;
  }
}
long a64l(const char *s) {
  unsigned long value = 0;
  for (int i = 0; i < 6 && s[i]; i++) {
    int c = s[i], digit;
    if (c == '.') digit = 0;
    else if (c == '/') digit = 1;
    else if (c >= '0' && c <= '9') digit = c - '0' + 2;
    else if (c >= 'A' && c <= 'Z') digit = c - 'A' + 12;
    else if (c >= 'a' && c <= 'z') digit = c - 'a' + 38;
    else break;
    value |= (unsigned)digit << (6 * i);
  }
  return (long)value;
}
unsigned arc4random_uniform(unsigned bound) {
  unsigned value = (unsigned)__assay_given_int();
  if (bound < 2) return 0;
  __VERIFIER_assume(value < bound);
  return value;
}
double drand48(void) { long n = __assay_given_long(); __VERIFIER_assume(n >= 0 && n < 0x7fffffff); return n / 2147483648.0; }
int getsubopt(char **at, char *const *words, char **value) {
  char *s = *at, *end, *equals;
  if (!*s) return -1;
  for (end = s; *end && *end != ','; end++) ;
  for (equals = s; equals < end && *equals != '='; equals++) ;
  for (int i = 0; words[i]; i++) {
    size_t k = 0, n = (size_t)(equals - s);
    while (k < n && words[i][k] && words[i][k] == s[k]) k++;
    if (k == n && !words[i][k]) {
      *value = equals != end ? equals + 1 : 0;
      if (*end) *end++ = 0;
      *at = end;
      return i;
    }
  }
  *value = s;
  if (*end) *end++ = 0;
  *at = end;
  return -1;
}
/* Characters of several bytes do not exist in the locale "C". */
int mblen(const char *s, size_t n) { return !s || n == 0 ? (s ? -1 : 0) : !*s ? 0 : (unsigned char)*s < 128 ? 1 : -1; }
int mbtowc(wchar_t *to, const char *s, size_t n) {
  if (!s) return 0;
  if (n == 0 || (unsigned char)*s >= 128) return -1;
  if (to) *to = *s;
  return *s != 0;
}
int wctomb(char *to, wchar_t c) {
  if (!to) return 0;
  if (c < 0 || c >= 128) return -1;
  *to = (char)c;
  return 1;
}
size_t mbstowcs(wchar_t *to, const char *s, size_t n) {
  size_t i = 0;
  for (; !to || i < n; i++) {
    if ((unsigned char)s[i] >= 128) return (size_t)-1;
    if (to) to[i] = s[i];
    if (!s[i]) break;
  }
  return i;
}
size_t wcstombs(char *to, const wchar_t *s, size_t n) {
  size_t i = 0;
  for (; !to || i < n; i++) {
    if (s[i] < 0 || s[i] >= 128) return (size_t)-1;
    if (to) to[i] = (char)s[i];
    if (!s[i]) break;
  }
  return i;
}
