// expect: false(unreach-call)
// The third parameter of main is a list as well.
extern void reach_error(void);
int main(int argc, char **argv, char **envp) {
  if (argc == 1 && envp[0] && !envp[1] && envp[0][0] == 'A' && argv[0][0]) reach_error(); // violation
  return 0;
}
