// expect: false(unreach-call)
// Functions of the program that share their names with the library's are the program's.
extern int log(char *text);
extern void reach_error(void);
int main(void) {
  if (log("x") == 7) reach_error(); // violation
  return 0;
}
