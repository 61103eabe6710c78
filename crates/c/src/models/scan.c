/* Formatted input from memory: integers, characters, words and sets of characters. */
static int __assay_space(char c) { return c == ' ' || (c >= 9 && c <= 13); }
static void __assay_keep(void *to, int length, unsigned long long value) {
  if (length == -2) *(unsigned char *)to = (unsigned char)value;
  else if (length == -1) *(unsigned short *)to = (unsigned short)value;
  else if (length == 0) *(unsigned *)to = (unsigned)value;
  else if (length == 1) *(unsigned long *)to = (unsigned long)value;
  else *(unsigned long long *)to = value;
}
static int __assay_scan(const char *s, const char *format, va_list values) {
  const char *start = s;
  int found = 0;
  for (; *format; format++) {
    int keep = 1, length = 0, base = 10, negative = 0, is_signed = 1, any = 0, over = 0, prefix = 0;
    size_t width = 0, n = 0;
    unsigned long long value = 0;
    void *to = 0;
    if (__assay_space(*format)) { while (__assay_space(*s)) s++; continue; }
    if (*format != '%') {
      if (!*s) return found || s != start ? found ? found : -1 : -1;
      if (*s != *format) return found;
      s++;
      continue;
    }
    format++;
    if (*format == '*') { keep = 0; format++; }
    for (; *format >= '0' && *format <= '9'; format++) width = width * 10 + (size_t)(*format - '0');
    for (;; format++) {
      if (*format == 'h') length--;
      else if (*format == 'l') length++;
      else if (*format == 'j' || *format == 'q') length = 2;
      else if (*format == 'z' || *format == 't') length = 1;
      else break;
    }
    if (*format != 'c' && *format != '[' && *format != 'n') while (__assay_space(*s)) s++;
    if (*format == '%') {
      if (!*s) return found ? found : -1;
      if (*s != '%') return found;
      s++;
      continue;
    }
    if (*format == 'n') {
      if (keep) __assay_keep(__builtin_va_arg(values, void *), length, (unsigned long long)(s - start));
      continue;
    }
    if (!*s) return found ? found : -1;
    if (keep) to = __builtin_va_arg(values, void *);
    if (!width) width = *format == 'c' ? 1 : (size_t)-1;
    if (*format == 'c') {
      for (; n < width && *s; n++, s++) if (keep) ((char *)to)[n] = *s;
      /* C says that this fails, glibc that it does not. */
      if (n < width) { __assay_unknown_effects(); return found; }
      found += keep;
      continue;
    }
    if (*format == 's') {
      for (; n < width && *s && !__assay_space(*s); n++, s++) if (keep) ((char *)to)[n] = *s;
      if (keep) ((char *)to)[n] = 0;
      found += keep;
      continue;
    }
    if (*format == '[') {
      const char *set = ++format;
      int without = *set == '^';
      if (without) { set++; format++; }
      if (*format == ']') format++;
      while (*format != ']') format++;
      for (; n < width && *s; n++, s++) {
        int inside = 0;
        for (const char *p = set; p < format; p++) {
          if (p + 2 < format && p[1] == '-') { if ((unsigned char)*s >= (unsigned char)p[0] && (unsigned char)*s <= (unsigned char)p[2]) inside = 1; p += 2; }
          else if (*p == *s) inside = 1;
        }
        if (inside == without) break;
        if (keep) ((char *)to)[n] = *s;
      }
      if (!n) return found;
      if (keep) ((char *)to)[n] = 0;
      found += keep;
      continue;
    }
    if (*format == 'u') is_signed = 0;
    else if (*format == 'x' || *format == 'X') { base = 16; is_signed = 0; }
    else if (*format == 'o') { base = 8; is_signed = 0; }
    else if (*format == 'i') base = 0;
    else if (*format != 'd') { __assay_unknown_effects(); return found; }
    if (n < width && (*s == '-' || *s == '+')) { negative = *s == '-'; s++; n++; }
    if (n < width && *s == '0') {
      any = 1;
      s++; n++;
      if ((base == 0 || base == 16) && n < width && (*s == 'x' || *s == 'X')) { base = 16; s++; n++; any = 0; prefix = 1; }
      else if (base == 0) base = 8;
    } else if (base == 0) base = 10;
    for (; n < width; n++, s++) {
      unsigned digit = *s >= '0' && *s <= '9' ? *s - '0' : *s >= 'a' && *s <= 'f' ? *s - 'a' + 10 : *s >= 'A' && *s <= 'F' ? *s - 'A' + 10 : 99;
      if (digit >= (unsigned)base) break;
      any = 1;
      if (value > (-1ull - digit) / (unsigned)base) over = 1;
      else value = value * (unsigned)base + digit;
    }
    /* C says that a prefix alone fails, glibc that it is a zero or not, by its version. */
    if (!any && prefix) { __assay_unknown_effects(); return found; }
    if (!any) return *s || n ? found : found ? found : -1;
    /* As glibc does it: the number is that of strtol or strtoul (strtoll and strtoull for long long), cut to the type. */
    {
      int wide = length >= 2 || sizeof(long) == 8;
      unsigned long long most = wide ? -1ull >> 1 : 0x7fffffffull;
      if (is_signed) {
        if (over || value > most + (unsigned)negative) value = most + (unsigned)negative;
        if (negative) value = 0ull - value;
      } else {
        most = wide ? -1ull : 0xffffffffull;
        if (over || value > most) value = most;
        else if (negative) value = 0ull - value;
      }
    }
    if (keep) { __assay_keep(to, length, value); found++; }
  }
  return found;
}
#define __ASSAY_VALUES(last, call) va_list values; int r; __builtin_va_start(values, last); r = call; __builtin_va_end(values); return r;
int sscanf(const char *s, const char *format, ...) { __ASSAY_VALUES(format, __assay_scan(s, format, values)) }
int __isoc99_sscanf(const char *s, const char *format, ...) { __ASSAY_VALUES(format, __assay_scan(s, format, values)) }
int __isoc23_sscanf(const char *s, const char *format, ...) { __ASSAY_VALUES(format, __assay_scan(s, format, values)) }
int vsscanf(const char *s, const char *format, va_list values) { return __assay_scan(s, format, values); }
int __isoc99_vsscanf(const char *s, const char *format, va_list values) { return __assay_scan(s, format, values); }
int __isoc23_vsscanf(const char *s, const char *format, va_list values) { return __assay_scan(s, format, values); }
