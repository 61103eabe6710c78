// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int number;
int *pointer;
double real;
struct { int a; char b[3]; } record;
static int array[4] = {1};
int main(void) {
  check(number == 0 && pointer == 0 && real == 0.0);
  check(record.a == 0 && record.b[2] == 0);
  check(array[0] == 1 && array[3] == 0);
  return 0;
}
