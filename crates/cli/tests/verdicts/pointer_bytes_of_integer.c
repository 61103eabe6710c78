// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

// Little-endian, as on the machines of the data models.
int main(void) {
  unsigned int x = 0x11223344u;
  unsigned char *bytes = (unsigned char *)&x;
  check(bytes[0] == 0x44 && bytes[3] == 0x11);
  bytes[1] = 0xff;
  check(x == 0x1122ff44u);
  unsigned short *half = (unsigned short *)&x;
  check(half[1] == 0x1122);
  return 0;
}
