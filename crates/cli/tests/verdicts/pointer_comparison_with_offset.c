// expect: true
extern void reach_error(void);
static unsigned char table[3][1];
static int differs(unsigned char value) {
  unsigned char *kept = table[0], *other;
  unsigned char **place = &kept;
  return ((*place) = &table[1][0]) != (other = &value);
}
int main(void) {
  unsigned char local[4];
  unsigned char *middle = local + 2;
  if (!differs(1) || middle == table[2] || middle - 2 == table[0] || &table[2][0] == &local[3])
    reach_error();
  return 0;
}
