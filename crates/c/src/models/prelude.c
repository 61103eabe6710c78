/* What every file of models begins with. */
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTMAX_TYPE__ uintmax_t;
typedef __builtin_va_list va_list;
/* Values that nobody may choose, and values that the system gives; reads that are checked; effects that nobody follows. */
double __assay_any_double(void);
int __assay_any_int(void);
long __assay_any_long(void);
void *__assay_any_pointer(void);
int __assay_given_int(void);
long __assay_given_long(void);
void *__assay_given_pointer(void);
void __assay_read(const void *, size_t);
void __assay_unknown_effects(void);
void __VERIFIER_assume(int);
void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);
/* A function for the digits of a number, no more than `most` (or `least` after a minus sign). */
#define __ASSAY_DIGITS(NAME, CHAR) \
static unsigned long long NAME(const CHAR *s, CHAR **end, int base, int *negative, int *over, \
                                         unsigned long long most, unsigned long long least) { \
  unsigned long long value = 0; \
  const CHAR *start = s, *first; \
  *negative = *over = 0; \
  if (base < 0 || base == 1 || base > 36) return 0; \
  while (*s == ' ' || (*s >= 9 && *s <= 13)) s++; \
  if (*s == '-' || *s == '+') *negative = *s++ == '-'; \
  if (*negative) most = least; \
  if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') \
      && ((s[2] >= '0' && s[2] <= '9') || (s[2] >= 'a' && s[2] <= 'f') || (s[2] >= 'A' && s[2] <= 'F'))) { s += 2; base = 16; } \
  else if (base == 0) base = s[0] == '0' ? 8 : 10; \
  first = s; \
  for (;; s++) { \
    unsigned digit = *s >= '0' && *s <= '9' ? *s - '0' : *s >= 'a' && *s <= 'z' ? *s - 'a' + 10 : *s >= 'A' && *s <= 'Z' ? *s - 'A' + 10 : 99; \
    if (digit >= (unsigned)base) break; \
    if (*over || digit > most || value > (most - digit) / (unsigned)base) *over = 1; \
    else value = value * (unsigned)base + digit; \
  } \
  if (end) *end = (CHAR *)(s == first ? start : s); \
  return *over ? most : value; \
}
