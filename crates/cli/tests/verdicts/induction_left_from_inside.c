// expect: false(unreach-call) config: k-induction-paths
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int search(int bound) {
  int found = 0;
  for (int i = 0; i < bound; i++) {
    for (int j = 0; j < i; j++) {
      if (i * j == 6)
        return i;
      if (j > 4)
        goto out;
    }
    found++;
  }
out:
  return found;
}
int main(void) {
  int bound = __VERIFIER_nondet_int();
  if (bound > 6)
    return 0;
  if (search(bound) == 3 && bound == 4)
    reach_error(); // violation
  return 0;
}
