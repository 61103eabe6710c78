// expect: unknown
// Nobody here reads the pointer, but somebody elsewhere may.
extern void reach_error(void);
extern int *from_outside(void);
static int a;
int *unread = &a;
int main(void) {
  int *p = from_outside();
  if (p) {
    *p = 5;
    if (a > 0) reach_error();
  }
  return 0;
}
