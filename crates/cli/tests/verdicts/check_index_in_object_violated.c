// expect: false(no-index-out-of-bounds) property: no-index-out-of-bounds
extern int __VERIFIER_nondet_int(void);
struct record { int name[4]; int admin; } r;
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 4) return 0;
  r.name[x] = 1; // violation
  int *end = &r.name[4];
  return end == r.name + x;
}
