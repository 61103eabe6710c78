// expect: true
// As long as nothing can be negative, its type does not matter.
extern void reach_error(void);
enum e { A, B, C = 6 };
struct s { enum e b : 21; };
int main(void) {
  struct s x = {C};
  if ((x.b & 3) != 2 || x.b < 6 || (unsigned)x.b - 7u < 5u || (x.b | 1) != 7) reach_error();
  return 0;
}
