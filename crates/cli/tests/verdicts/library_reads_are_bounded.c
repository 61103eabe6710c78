// expect: true property: valid-memsafety
typedef struct file FILE;
extern FILE *stdin;
extern char *fgets(char *, int, FILE *);
extern long read(int, void *, unsigned long);
extern unsigned long strlen(const char *);
int main(void) {
  char line[4], raw[5];
  if (fgets(line, sizeof line, stdin) && strlen(line) > 3)
    return raw[1000];
  long n = read(0, raw, sizeof raw - 1);
  if (n >= 0)
    raw[n] = 0;
  return 0;
}
