// expect: unknown
extern void reach_error(void);
extern char *getcwd(char *, unsigned long);
typedef int (*fp)(int);
int main(void) {
  fp t = (fp)getcwd;
  if (t(3) == 5) reach_error();
  return 0;
}
