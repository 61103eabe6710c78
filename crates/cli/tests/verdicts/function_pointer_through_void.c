// expect: true
extern void reach_error(void);
static int calls;
static void count(unsigned step) { calls += step; }
static void other(unsigned step) { calls = -100; }
struct table { void *entry; void (*plain)(unsigned); };
int main(void) {
  struct table table = { (void *)count, other };
  ((void (*)(int))table.entry)(3);
  void (*narrow)(unsigned short) = (void (*)(unsigned short))table.entry;
  if (calls != 3)
    reach_error();
  return 0;
}
