// expect: true config: random
// The only run has 3,000,000,000,000 rounds: those that only count are passed over.
extern void reach_error(void);
int main(void) {
  unsigned long long x = 5, y = 0; unsigned c = 0, t = 0;
  for (unsigned long long i = 0; i < 3000000000000ULL; i++) { x += 3; y -= 7; t = (unsigned)x; if (x < 1000000000000ULL) c = 1; else c = 2; }
  if (x != 5 + 3 * 3000000000000ULL || c != 2 || t != (unsigned)x || y != 0 - 7 * 3000000000000ULL) reach_error();
  return 0;
}
