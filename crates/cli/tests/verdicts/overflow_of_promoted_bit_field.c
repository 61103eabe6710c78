// expect: false(no-overflow) property: no-overflow

struct parts {
  unsigned wide : 31;
};
int main(void) {
  struct parts p;
  p.wide = 0x7fffffff;
  p.wide += 1; // violation
  return 0;
}
