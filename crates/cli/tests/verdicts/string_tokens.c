// expect: true
extern void reach_error(void);
extern char *strtok(char *, const char *);
extern int strcmp(const char *, const char *);
extern long strtol(const char *, char **, int);
int main(void) {
  char text[] = ",ab;,c";
  char *first = strtok(text, ",;"), *second = strtok(0, ",;"), *end;
  if (!first || !second || strcmp(first, "ab") || strcmp(second, "c") || strtok(0, ",;"))
    reach_error();
  if (strtol("-0x1Fz", &end, 0) != -31 || *end != 'z' || strtol("0x", &end, 16) != 0 || *end != 'x')
    reach_error();
  if (strtol("99999999999999999999", 0, 10) != 0x7fffffffffffffffL || strtol("-99999999999999999999", 0, 10) >= 0)
    reach_error();
  return 0;
}
