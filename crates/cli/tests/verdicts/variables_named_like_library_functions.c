// expect: true
extern void reach_error(void);
int time;
long clock = 4;
static int rand(void) { return -7; }
int main(void) {
  time = 3;
  clock++;
  if (time != 3 || clock != 5 || rand() != -7)
    reach_error();
  return 0;
}
