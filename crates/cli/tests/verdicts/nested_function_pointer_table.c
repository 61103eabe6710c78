// expect: false(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

typedef int (*handler)(int);
int idle(int x) { return x; }
int fail(int x) {
  if (x > 1)
    reach_error(); // violation
  return x;
}
handler table[2] = {idle, fail};
int main(void) {
  int event = __VERIFIER_nondet_int();
  if (event < 0 || event > 1)
    return 0;
  return table[event](event + 1);
}
