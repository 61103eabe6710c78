// expect: false(no-uninitialised-read) property: no-uninitialised-read
union number { unsigned char bytes[4]; unsigned word; };
int main(void) {
  union number n;
  n.bytes[0] = n.bytes[1] = n.bytes[2] = 5;
  return n.word > 0x7fffffff ? 1 : 0; // violation
}
