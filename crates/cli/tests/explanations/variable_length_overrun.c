extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 3 || n > 5)
    return 0;
  short row[n];
  for (int i = 0; i <= 5; i++)
    row[i] = 0;
  return row[0];
}
