// expect: false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

# 100 "generated.c"
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 9)
    reach_error();
  return 0;
}
