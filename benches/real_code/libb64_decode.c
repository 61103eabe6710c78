/* base64_decode_block of libb64: any four characters. Its table is read one byte past the end for the character '{'. */
#include <assert.h>
#include "cdecode.c"

extern char __VERIFIER_nondet_char(void);

int main(void) {
  char code[4], plain[4];
  for (int i = 0; i < 4; i++)
    code[i] = __VERIFIER_nondet_char();
  base64_decodestate state;
  base64_init_decodestate(&state);
  int length = base64_decode_block(code, 4, plain, &state);
  assert(length <= 3);
  return 0;
}
