/* Any 4 bytes are decoded into 3. */
#include "base64.c"
#include "constant_time.c"
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char source[4], target[3];
  size_t length = 0;
  for (int i = 0; i < 4; i++) source[i] = __VERIFIER_nondet_uchar();
  int result = mbedtls_base64_decode(target, sizeof target, &length, source, sizeof source);
  assert(result != 0 || length <= 3);
  return 0;
}
