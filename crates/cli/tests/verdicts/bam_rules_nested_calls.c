// expect: true config: bam-value also: bam-symbolic
// Each function calls the next one twice, so that an entry that a rule speaks of is used more often the deeper it is.
extern void reach_error(void);
int count, last, result;
#define STEP last = (last * 3 + 1) % 7;
#define WORK STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP
#define LEVEL(name, inner) void name(void) { WORK WORK WORK inner(); inner(); }
void leaf(void) {
  WORK WORK WORK
  if (count == 100000) result = 7;
}
LEVEL(d13, leaf) LEVEL(d12, d13) LEVEL(d11, d12) LEVEL(d10, d11) LEVEL(d9, d10) LEVEL(d8, d9) LEVEL(d7, d8)
LEVEL(d6, d7) LEVEL(d5, d6) LEVEL(d4, d5) LEVEL(d3, d4) LEVEL(d2, d3) LEVEL(d1, d2) LEVEL(d0, d1)
int main(void) {
  for (count = 0; count < 100; count++) d0();
  if (result == 7) reach_error();
  return 0;
}
