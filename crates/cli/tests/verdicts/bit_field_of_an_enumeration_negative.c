// expect: unknown
extern void reach_error(void);
enum color { RED, GREEN, BLUE };
struct { enum color c : 4; } s;
int main(void) {
  if (s.c - 1 < 0) reach_error();
  return 0;
}
