/* utf8proc_iterate: a code point of any four bytes. */
#include <assert.h>
#include "utf8proc.c"

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  utf8proc_uint8_t text[4];
  for (int i = 0; i < 4; i++)
    text[i] = __VERIFIER_nondet_uchar();
  utf8proc_int32_t point;
  utf8proc_ssize_t read = utf8proc_iterate(text, 4, &point);
  assert(read < 0 || (read <= 4 && point <= 0x10ffff));
  return 0;
}
