// expect: unknown
extern void reach_error(void);
extern int *from_outside(void);
int numbers[10];
int main(void) {
  int *p = from_outside();
  for (int i = 0; i < 10; i++) numbers[i] = 1;
  *p = 2;
  for (int i = 0; i < 10; i++)
    if (numbers[i] != 1) reach_error();
  return 0;
}
