// expect: unknown
extern void reach_error(void);
extern void *__VERIFIER_nondet_pointer(void);
int shared = 1;
int main(void) {
  int *p = __VERIFIER_nondet_pointer();
  *p = 2;
  if (shared != 1) reach_error();
  return 0;
}
