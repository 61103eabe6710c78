// expect: unknown
// Compilers promote such a bit-field to int, so that the sum is negative.
extern void reach_error(void);
enum e { A, B, C = 6 };
struct s { short n; enum e b : 21; };
int main(void) {
  struct s x = {-5, B};
  if (!(x.n + x.b * 2 > -256)) reach_error();
  return 0;
}
