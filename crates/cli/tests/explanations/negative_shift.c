extern int __VERIFIER_nondet_int(void);
int main(void) {
  int by = __VERIFIER_nondet_int();
  if (by > -1 || by < -3)
    return 0;
  return 8 >> by;
}
