// expect: unknown
// gcc clears what is not replaced, the standard and clang keep it: nothing is claimed.
extern void reach_error(void);
struct inner { int x, y; };
struct inner g = {1, 2};
int main(void) {
  struct { struct inner in; int z; } o = {.in = g, .in.y = 7};
  if (o.in.x != 1) reach_error();
  return 0;
}
