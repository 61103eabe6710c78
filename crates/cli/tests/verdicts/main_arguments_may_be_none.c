// expect: false(unreach-call)
// C allows that there is no argument at all, not even the program's name; a harness cannot start it so on every system.
extern void reach_error(void);
int main(int argc, char **argv) {
  if (argc < 2) return 0;
  if (argc == 2 && argv[1][0] == '7' && argv[1][1] == 0) reach_error(); // violation
  return argv[0] == 0;
}
