// expect: unknown | false(unreach-call)
extern void reach_error(void);
int main(void) {
  int i = undeclared();
  if (i == 3) reach_error();
  return 0;
}
