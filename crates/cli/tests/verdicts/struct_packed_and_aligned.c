// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

struct __attribute__((packed)) packed { char c; int i; };
struct loose { char c; int i; };
int main(void) {
  check(sizeof(struct packed) == 5);
  check(sizeof(struct loose) == 8);
  struct packed p = {1, 0x01020304};
  unsigned char *bytes = (unsigned char *)&p;
  check(bytes[1] == 4 && bytes[4] == 1);
  return 0;
}
