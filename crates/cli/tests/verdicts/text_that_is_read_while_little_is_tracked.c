// expect: true
// property: unreach-call
// config: value-cegar
// also: bam-value-cegar
// The path that skips the loop over the text is refuted by the text; tracking the pointer into it must not go on for ever.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int count(const char *text) {
  int found = 0;
  for (; *text; text++) {
    if (*text == '%') found = 1;
  }
  return found;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    if (!count("a%b")) reach_error();
  }
  return 0;
}
