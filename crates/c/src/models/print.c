/* Formatted output into memory: integers, characters and strings. Other conversions are left to the contract, before it comes to this. */
struct __assay_output { char *to; size_t room, length; };
static void __assay_put(struct __assay_output *o, char c) {
  if (o->length < o->room) o->to[o->length] = c;
  o->length++;
}
static void __assay_pad(struct __assay_output *o, char c, long count) { for (; count > 0; count--) __assay_put(o, c); }
static int __assay_print(char *to, size_t room, const char *format, va_list values) {
  struct __assay_output o;
  o.to = to; o.room = room ? room - 1 : 0; o.length = 0;
  for (; *format; format++) {
    int left = 0, plus = 0, blank = 0, other = 0, zero = 0, length = 0, negative = 0, base = 10, upper = 0;
    long width = 0, precision = -1, count = 0;
    char digits[66], sign = 0;
    unsigned long long value;
    if (*format != '%') { __assay_put(&o, *format); continue; }
    for (format++;; format++) {
      if (*format == '-') left = 1;
      else if (*format == '+') plus = 1;
      else if (*format == ' ') blank = 1;
      else if (*format == '#') other = 1;
      else if (*format == '0') zero = 1;
      else break;
    }
    if (*format == '*') { width = __builtin_va_arg(values, int); if (width < 0) { left = 1; width = -width; } format++; }
    else for (; *format >= '0' && *format <= '9'; format++) width = width * 10 + (*format - '0');
    if (*format == '.') {
      precision = 0;
      format++;
      if (*format == '*') { precision = __builtin_va_arg(values, int); if (precision < 0) precision = -1; format++; }
      else for (; *format >= '0' && *format <= '9'; format++) precision = precision * 10 + (*format - '0');
    }
    for (;; format++) {
      if (*format == 'h') length--;
      else if (*format == 'l') length++;
      else if (*format == 'j' || *format == 'q') length = 2;
      else if (*format == 'z' || *format == 't') length = 1;
      else break;
    }
    if (*format == '%') { __assay_put(&o, '%'); continue; }
    if (*format == 'c') {
      char c = (char)__builtin_va_arg(values, int);
      if (!left) __assay_pad(&o, ' ', width - 1);
      __assay_put(&o, c);
      if (left) __assay_pad(&o, ' ', width - 1);
      continue;
    }
    if (*format == 's') {
      const char *s = __builtin_va_arg(values, const char *);
      if (!s) s = precision >= 0 && precision < 6 ? "" : "(null)";
      while ((precision < 0 || count < precision) && s[count]) count++;
      if (!left) __assay_pad(&o, ' ', width - count);
      for (long i = 0; i < count; i++) __assay_put(&o, s[i]);
      if (left) __assay_pad(&o, ' ', width - count);
      continue;
    }
    if (*format == 'd' || *format == 'i') {
      long long number = length >= 2 ? __builtin_va_arg(values, long long) : length == 1 ? __builtin_va_arg(values, long) : __builtin_va_arg(values, int);
      if (length == -1) number = (short)number;
      if (length == -2) number = (signed char)number;
      negative = number < 0;
      value = negative ? 0ull - (unsigned long long)number : (unsigned long long)number;
    } else if (*format == 'u' || *format == 'x' || *format == 'X' || *format == 'o') {
      value = length >= 2 ? __builtin_va_arg(values, unsigned long long) : length == 1 ? __builtin_va_arg(values, unsigned long) : __builtin_va_arg(values, unsigned);
      if (length == -1) value = (unsigned short)value;
      if (length == -2) value = (unsigned char)value;
      base = *format == 'u' ? 10 : *format == 'o' ? 8 : 16;
      upper = *format == 'X';
      plus = blank = 0;
    } else {
      __assay_unknown_effects();
      return -1;
    }
    if (negative) sign = '-'; else if (plus) sign = '+'; else if (blank) sign = ' ';
    int prefix = other && base == 16 && value != 0;
    if (precision >= 0) zero = 0;
    for (; value; value /= (unsigned)base) {
      unsigned digit = (unsigned)(value % (unsigned)base);
      digits[count++] = (char)(digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10);
    }
    if (precision < 0) precision = 1;
    if (other && base == 8 && precision <= count) precision = count + 1;
    long total = (count > precision ? count : precision) + (sign != 0) + 2 * prefix;
    if (zero && !left && width > total) { precision += width - total; if (count > precision) precision = count; total = width; 
      precision = width - (sign != 0) - 2 * prefix; }
    if (!left) __assay_pad(&o, ' ', width - total);
    if (sign) __assay_put(&o, sign);
    if (prefix) { __assay_put(&o, '0'); __assay_put(&o, upper ? 'X' : 'x'); }
    __assay_pad(&o, '0', precision - count);
    while (count > 0) __assay_put(&o, digits[--count]);
    if (left) __assay_pad(&o, ' ', width - total);
  }
  if (room) to[o.length < o.room ? o.length : o.room] = 0;
  return (int)o.length;
}
#define __ASSAY_VALUES(last, call) va_list values; int r; __builtin_va_start(values, last); r = call; __builtin_va_end(values); return r;
int sprintf(char *to, const char *format, ...) { __ASSAY_VALUES(format, __assay_print(to, (size_t)-1 >> 1, format, values)) }
int snprintf(char *to, size_t n, const char *format, ...) { __ASSAY_VALUES(format, __assay_print(to, n, format, values)) }
int vsprintf(char *to, const char *format, va_list values) { return __assay_print(to, (size_t)-1 >> 1, format, values); }
int vsnprintf(char *to, size_t n, const char *format, va_list values) { return __assay_print(to, n, format, values); }
int __sprintf_chk(char *to, int flag, size_t size, const char *format, ...) { __ASSAY_VALUES(format, __assay_print(to, (size_t)-1 >> 1, format, values)) }
int __snprintf_chk(char *to, size_t n, int flag, size_t size, const char *format, ...) { __ASSAY_VALUES(format, __assay_print(to, n, format, values)) }
int __vsprintf_chk(char *to, int flag, size_t size, const char *format, va_list values) { return __assay_print(to, (size_t)-1 >> 1, format, values); }
int __vsnprintf_chk(char *to, size_t n, int flag, size_t size, const char *format, va_list values) { return __assay_print(to, n, format, values); }
static int __assay_print_new(char **to, const char *format, va_list values) {
  va_list again;
  int length;
  __builtin_va_copy(again, values);
  length = __assay_print(0, 0, format, again);
  __builtin_va_end(again);
  *to = malloc((size_t)length + 1);
  if (!*to) return -1;
  return __assay_print(*to, (size_t)length + 1, format, values);
}
int asprintf(char **to, const char *format, ...) { __ASSAY_VALUES(format, __assay_print_new(to, format, values)) }
int vasprintf(char **to, const char *format, va_list values) { return __assay_print_new(to, format, values); }
