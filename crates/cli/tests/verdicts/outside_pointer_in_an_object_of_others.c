// expect: unknown
extern void reach_error(void);
extern struct handle { int *place; } theirs;
int shared = 1;
int main(void) {
  *theirs.place = 2;
  if (shared != 1) reach_error();
  return 0;
}
