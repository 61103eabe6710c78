// expect: true also: bam-symbolic-cegar
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int length(const char *s) {
  int n = 0;
  while (*s++)
    n++;
  return n;
}
int main(void) {
  const char *s = "abc" "def";
  check(length(s) == 6);
  check(s[0] == 'a' && s[6] == 0);
  char copy[] = "xy";
  copy[0] = 'z';
  check(sizeof(copy) == 3 && copy[0] == 'z' && copy[1] == 'y');
  char padded[5] = "ab";
  check(padded[2] == 0 && padded[4] == 0);
  check("hello"[1] == 'e');
  return 0;
}
