// expect: true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x == x)
    ;
  reach_error();
  return 0;
}
