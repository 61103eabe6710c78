// expect: true
extern void reach_error(void);
static const char *name(int which) { return which ? "first" : "second"; }
int main(void) {
  const char *p = "first";
  if (name(1) != p || name(0) == p)
    reach_error();
  return 0;
}
