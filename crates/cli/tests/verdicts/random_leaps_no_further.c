// expect: false(unreach-call) config: random
// What happens in one round of many is not passed over: neither by its number, nor where a counter wraps.
extern void reach_error(void);
int main(void) {
  unsigned i, seen = 0;
  unsigned char low = 0;
  for (i = 0; i < 4000000000u; i += 2) {
    if (i == 3000000001u) reach_error();
    if (i == 3000000002u) seen++;
  }
  int x = 2147483000;
  unsigned n = 0;
  while (x > 0 && n < 4000000000u) {
    x = (int)((unsigned)x + 1u);
    n++;
  }
  if (seen == 1 && n == 648 && i == 4000000000u) reach_error();
  return 0;
}
