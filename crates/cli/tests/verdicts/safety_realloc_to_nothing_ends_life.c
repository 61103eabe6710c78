// expect: false(valid-deref) property: valid-memsafety
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
int main(void) {
  char *p = malloc(4);
  realloc(p, 0);
  p[0] = 1; // violation
  return 0;
}
