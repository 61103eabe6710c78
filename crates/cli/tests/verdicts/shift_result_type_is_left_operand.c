// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

// The right operand does not take part in the conversions.
int main(void) {
  int one = 1;
  unsigned long long amount = 4;
  check(sizeof(one << amount) == sizeof(int));
  check((-16 >> amount) == -1);
  check((-16 >> 2u) == -4);
  return 0;
}
