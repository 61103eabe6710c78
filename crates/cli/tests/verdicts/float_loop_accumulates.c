// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  float sum = 0.0f;
  for (int i = 0; i < 10; i++)
    sum += 0.1f;
  check(sum != 1.0f);
  check(sum > 0.99f && sum < 1.01f);
  return 0;
}
