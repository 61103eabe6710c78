// expect: true
extern void reach_error(void);
int main(int argc, char **argv) {
  _Bool b;
  int x = b;
  if (x != 0 && x != 1)
    reach_error();
  if (argc < 0)
    reach_error();
  return 0;
}
