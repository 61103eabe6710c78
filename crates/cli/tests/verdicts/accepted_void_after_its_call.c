// expect: true
extern void reach_error(void);
int g;
int main(void) {
  set(3);
  if (g != 3) reach_error();
  return 0;
}
void set(int x) { g = x; }
