/* Any text of 4 bytes is parsed, and what came of it is released. */
#include "cJSON.c"
#include <assert.h>
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char text[5];
  for (int i = 0; i < 4; i++) text[i] = __VERIFIER_nondet_char();
  text[4] = 0;
  cJSON *item = cJSON_Parse(text);
  assert(!item || !item->prev || item->prev == item);
  cJSON_Delete(item);
  return 0;
}
