// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  check(sizeof(2147483647) == 4);
  check(sizeof(2147483648) == 8);
  check(0x80000000 == 2147483648u);
  check(-0x80000000 == 0x80000000);
  check(sizeof('a') == sizeof(int));
  check('\377' == -1);
  check('\x41' == 'A' && '\n' == 10 && '\0' == 0);
  check(017 == 15 && 0b101 == 5);
  check(10ULL - 11 > 0);
  return 0;
}
