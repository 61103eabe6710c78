// expect: true
// Whether the sign is there is what counts.
#include <math.h>
extern void reach_error(void);
int main(void) {
  if (!signbit(-1.0) || signbit(2.0f) || !__builtin_signbitl(-0.0L)) reach_error();
  return 0;
}
