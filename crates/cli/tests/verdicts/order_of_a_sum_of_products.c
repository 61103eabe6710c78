// expect: unknown
// Where overflow wraps, gcc puts the products together before it chooses the order: the second is called last.
extern void reach_error(void);
static unsigned k;
static unsigned n(void) { return ++k; }
int main(void) {
  if (n() + n() * 10 + n() * 100 != 231) reach_error();
  return 0;
}
