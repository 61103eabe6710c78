// expect: false(valid-deref) property: valid-memsafety config: symbolic also: auto
// As its twin, with a check that lets one byte too many through.
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char source[6], target[8];
  for (int i = 0; i < 6; i++) source[i] = __VERIFIER_nondet_uchar();
  const unsigned char *at = source, *end = source + 6, *wide = end - 16;
  unsigned char *to = target;
  if (at < wide) return 0;
  while (at < end) {
    unsigned length = *at++;
    if (at + length > end + 1) return 1;
    for (unsigned i = 0; i < length; i++) *to++ = *at++; // violation
  }
  return 0;
}
