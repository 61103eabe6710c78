// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

struct variant {
  int tag;
  union {
    int number;
    struct {
      short low, high;
    };
  };
};
int main(void) {
  struct variant v = {.tag = 1, .number = 0x00020001};
  check(v.low == 1 && v.high == 2);
  v.high = 0;
  check(v.number == 1);
  return 0;
}
