// expect: unknown | true property: no-uninitialised-read
// two answers: which bits of a byte were written is not told apart, and a field beside one that was never written stays open
struct flags { unsigned a : 3, b : 5; };
int main(void) {
  struct flags f;
  f.a = 1;
  return f.a == 1;
}
