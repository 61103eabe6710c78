// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  char text[8] = "abcdefg";
  char *end = text;
  while (*end)
    end++;
  check(end - text == 7);
  check(text - end == -7);
  for (char *p = end - 1; p > text; p--)
    check(*p > *(p - 1));
  return 0;
}
