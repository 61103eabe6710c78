// expect: true also: bmc,k-induction-formulas model: LP64,ILP32
// Behind the last argument is a null pointer, and before it there is none.
extern void reach_error(void);
int main(int argc, char **argv) {
  if (argv[argc] != 0) reach_error();
  if (argc > 0 && !argv[0]) reach_error();
  if (argc == 3 && (!argv[1] || !argv[2] || argv[1] == argv[2])) reach_error();
  if (argc < 0) reach_error();
  return 0;
}
