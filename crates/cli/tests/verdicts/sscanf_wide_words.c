// expect: unknown property: valid-memsafety
// Wide characters take more room than the width says, and memory may be allocated for a word.
#include <stdio.h>
#include <stddef.h>
int main(void) {
  wchar_t wide[2];
  char *made = 0;
  if (sscanf("abc", "%2ls", wide) == 1) return 1;
  return sscanf("abc", "%ms", &made) == 1;
}
