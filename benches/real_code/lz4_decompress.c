/* Any 6 bytes are decompressed into 8: no access outside of either buffer, and a result that fits. */
#include "lz4.c"
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  char source[6], target[8];
  for (int i = 0; i < 6; i++) source[i] = (char)__VERIFIER_nondet_uchar();
  int result = LZ4_decompress_safe(source, target, 6, 8);
  assert(result <= 8);
  return 0;
}
