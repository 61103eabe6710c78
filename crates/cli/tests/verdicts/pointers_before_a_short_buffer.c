// expect: true property: valid-memsafety config: symbolic also: auto
// The end of a buffer less a constant lies before a short buffer: its order with addresses of the buffer is that of the offsets.
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char source[6], target[8];
  for (int i = 0; i < 6; i++) source[i] = __VERIFIER_nondet_uchar();
  const unsigned char *at = source, *end = source + 6, *wide = end - 16;
  unsigned char *to = target;
  while (at < end) {
    unsigned length = *at++;
    if (at < wide) to[16] = 1;
    unsigned char *next = to + length;
    if (next > target + 8 || at + length > end) return 1;
    for (unsigned i = 0; i < length; i++) *to++ = *at++;
  }
  return 0;
}
