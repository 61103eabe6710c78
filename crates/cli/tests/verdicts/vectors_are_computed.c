// expect: true model: LP64,ILP32
typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static v4 twice(v4 v) { return v + v; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < -1000 || x > 1000) return 0;
  v4 a = {x, 1, 2, 3}, b = twice(a) - 1;
  if (b[0] != 2 * x - 1 || b[3] != 5) reach_error();
  v4 less = a < b;
  if (less[1] != 0 || less[3] != -1 || (x > 1) != (less[0] == -1)) reach_error();
  a[x & 3] = 9;
  if (a[x & 3] != 9) reach_error();
  f4 f = __builtin_convertvector(b, f4) / 2.0f;
  if (f[3] != 2.5f) reach_error();
  v4 s = __builtin_shuffle(b, (v4){3, 2, 1, 0});
  if (s[0] != 5) reach_error();
  return 0;
}
