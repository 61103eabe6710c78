/* Any text of 4 bytes is cut into at most 4 tokens. */
#include "jsmn.h"
#include <assert.h>
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char text[4];
  jsmntok_t tokens[4];
  jsmn_parser parser;
  for (int i = 0; i < 4; i++) text[i] = __VERIFIER_nondet_char();
  jsmn_init(&parser);
  int count = jsmn_parse(&parser, text, sizeof text, tokens, 4);
  assert(count <= 4);
  return 0;
}
