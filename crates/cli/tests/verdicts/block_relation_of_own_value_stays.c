// expect: true also: symbolic,bam-symbolic,bam-symbolic-cegar
// What relates a value that only the function holds to one of the caller is known before each call and after it. Only the exit says it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int g;
int side;

void flip(void) {
  if (g > 5)
    side = 1 - side;
}

int main(void) {
  int limit = __VERIFIER_nondet_int();
  g = __VERIFIER_nondet_int();
  if (!(g < limit))
    return 0;
  while (1) {
    flip();
    if (g >= limit)
      reach_error(); // not reached
  }
}
