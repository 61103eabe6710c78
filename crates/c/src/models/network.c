/* Byte order and addresses of networks, on a machine that has the lowest byte first. */
unsigned short htons(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
unsigned short ntohs(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
unsigned htonl(unsigned x) { return __builtin_bswap32(x); }
unsigned ntohl(unsigned x) { return __builtin_bswap32(x); }
unsigned short __bswap_16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
unsigned __bswap_32(unsigned x) { return __builtin_bswap32(x); }
unsigned long long __bswap_64(unsigned long long x) { return __builtin_bswap64(x); }
unsigned short bswap_16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
unsigned bswap_32(unsigned x) { return __builtin_bswap32(x); }
unsigned long long bswap_64(unsigned long long x) { return __builtin_bswap64(x); }
/* One to four numbers with points between them; the last fills what is left. */
static int __assay_address(const char *s, unsigned *to) {
  unsigned parts[4] = {0, 0, 0, 0};
  int n = 0;
  unsigned value;
  for (;;) {
    unsigned base = 10, digits = 0, part = 0;
    if (!(*s >= '0' && *s <= '9')) return 0;
    if (*s == '0') {
      base = 8;
      if (s[1] == 'x' || s[1] == 'X') { base = 16; s += 2; }
    }
    for (;; s++) {
      unsigned digit = *s >= '0' && *s <= '9' ? *s - '0' : *s >= 'a' && *s <= 'f' ? *s - 'a' + 10 : *s >= 'A' && *s <= 'F' ? *s - 'A' + 10 : 99;
      if (digit >= base) break;
      if (part > (0xffffffffu - digit) / base) return 0;
      part = part * base + digit;
      digits++;
    }
    if (!digits) return 0;
    parts[n++] = part;
    if (*s != '.') break;
    if (n == 4 || part > 255) return 0;
    s++;
  }
  if (*s && !(*s == ' ' || (*s >= 9 && *s <= 13))) return 0;
  value = parts[n - 1];
  if (n > 1 && value > 0xffffffffu >> (8 * (n - 1))) return 0;
  for (int i = 0; i < n - 1; i++) value |= parts[i] << (24 - 8 * i);
  *to = value;
  return 1;
}
int inet_aton(const char *s, void *to) {
  unsigned value;
  if (!__assay_address(s, &value)) return 0;
  *(unsigned *)to = __builtin_bswap32(value);
  return 1;
}
unsigned inet_addr(const char *s) { unsigned value; return __assay_address(s, &value) ? __builtin_bswap32(value) : 0xffffffffu; }
