// expect: false(unreach-call)
extern void reach_error(void);

struct operations {
  int (*open)(int);
  int (*close)(int);
};
int good(int x) { return x + 1; }
int bad(int x) {
  if (x == 3)
    reach_error(); // violation
  return x;
}
int main(void) {
  struct operations ops = {.close = bad, .open = good};
  return ops.close(ops.open(2));
}
