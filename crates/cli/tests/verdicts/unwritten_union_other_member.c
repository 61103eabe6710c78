// expect: true property: no-uninitialised-read
union number { unsigned char bytes[4]; unsigned word; };
int main(void) {
  union number n;
  n.word = 5;
  return n.bytes[0] == 5 ? 1 : 0;
}
