// expect: true
// Promoted to int by compilers and to unsigned by the library that parses: what does not depend on it is proved.
extern void reach_error(void);
enum color { RED, GREEN, BLUE };
struct { enum color c : 4; } s;
int main(void) {
  s.c = BLUE;
  if (s.c != BLUE || s.c < GREEN || s.c + 1 > 3) reach_error();
  return 0;
}
