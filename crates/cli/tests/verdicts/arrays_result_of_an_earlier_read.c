// expect: unknown config: arrays
// What sets the flag was read before the last reads of its round.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int a[1000], right = 1, sum = 0;
  for (int i = 0; i < 1000; i++)
    a[i] = i == 600 ? 7 : 1;
  for (int i = 0; i < 1000; i++) {
    if (a[i] == 7)
      right = 0;
    sum ^= a[0];
    sum ^= a[1];
    sum ^= a[2];
  }
  if (!right)
    reach_error();
  return sum;
}
