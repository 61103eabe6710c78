// expect: true

// An unsigned bit-field that is narrower than int computes as an int.
void reach_error(void);
struct parts {
  unsigned wide : 31;
  unsigned narrow : 7;
};
int main(void) {
  struct parts p;
  p.wide = 4;
  p.wide /= -2;
  p.narrow = 9;
  p.narrow %= -5;
  if (p.wide != 0x7ffffffe || p.narrow != 4) {
    reach_error();
  }
  return 0;
}
