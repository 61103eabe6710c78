// expect: unknown
// What is not followed forbids every verdict behind it.
#include <regex.h>
extern void reach_error(void);
int main(void) {
  regex_t pattern;
  regmatch_t match = {1, 1};
  regcomp(&pattern, "a", 0);
  regexec(&pattern, "ba", 1, &match, 0);
  if (match.rm_so != 1) reach_error();
  return 0;
}
