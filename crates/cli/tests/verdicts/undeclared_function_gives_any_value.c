// expect: unknown | false(unreach-call)
// two answers: what an undeclared function gives may not be confirmed, but nothing may be proved
extern void reach_error(void);
int main(void) {
  int i = undeclared();
  if (i == 3) reach_error();
  return 0;
}
