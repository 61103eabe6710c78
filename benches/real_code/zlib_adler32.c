/* adler32 of zlib: both sums of any eight bytes are below the modulus. */
#include <assert.h>
#include "adler32.c"

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char bytes[8];
  for (int i = 0; i < 8; i++)
    bytes[i] = __VERIFIER_nondet_uchar();
  uLong sum = adler32(adler32(0L, Z_NULL, 0), bytes, 8);
  assert((sum & 0xffff) < 65521 && (sum >> 16) < 65521);
  return 0;
}
