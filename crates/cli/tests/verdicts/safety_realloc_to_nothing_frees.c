// expect: true property: valid-memsafety
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
int main(void) {
  char *p = malloc(4);
  p = realloc(p, 8);
  p[7] = 1;
  p = realloc(p, 0);
  if (p)
    *(volatile char *)0 = 1;
  return 0;
}
