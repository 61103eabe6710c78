/* What printing reads: the format, and the strings that it asks for. Numbers are passed over. */
int __assay_printed_list(const char *format, va_list values) {
  for (; *format; format++) {
    int length = 0;
    long precision = -1, count = 0;
    if (*format != '%') continue;
    for (format++; *format == '-' || *format == '+' || *format == ' ' || *format == '#' || *format == '0' || *format == '\''; format++) ;
    if (*format == '*') { (void)__builtin_va_arg(values, int); format++; }
    else while (*format >= '0' && *format <= '9') format++;
    if (*format == '.') {
      precision = 0;
      format++;
      if (*format == '*') { precision = __builtin_va_arg(values, int); format++; }
      else for (; *format >= '0' && *format <= '9'; format++) precision = precision * 10 + (*format - '0');
    }
    for (;; format++) {
      if (*format == 'h') length--;
      else if (*format == 'l') length++;
      else if (*format == 'L' || *format == 'j' || *format == 'q') length = 2;
      else if (*format == 'z' || *format == 't') length = 1;
      else break;
    }
    switch (*format) {
      case '%': case 'm': break;
      case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
        if (length >= 2) (void)__builtin_va_arg(values, long long);
        else if (length == 1) (void)__builtin_va_arg(values, long);
        else (void)__builtin_va_arg(values, int);
        break;
      case 'c': (void)__builtin_va_arg(values, int); break;
      case 'p': (void)__builtin_va_arg(values, void *); break;
      case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        if (length >= 2) (void)__builtin_va_arg(values, long double);
        else (void)__builtin_va_arg(values, double);
        break;
      case 's':
        if (length == 0) {
          const char *s = __builtin_va_arg(values, const char *);
          if (s) while ((precision < 0 || count < precision) && s[count]) count++;
          break;
        }
        /* Wide strings, %n and what nobody knows. */
      default:
        __assay_unknown_effects();
        return 0;
    }
  }
  return 0;
}
int __assay_printed(const char *format, ...) {
  va_list values;
  int r;
  __builtin_va_start(values, format);
  r = __assay_printed_list(format, values);
  __builtin_va_end(values);
  return r;
}
