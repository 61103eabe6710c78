/* Functions inside of functions: variables around them, two levels, recursion, addresses. */
extern void __VERIFIER_error(void);
extern void qsort(void *, __SIZE_TYPE__, __SIZE_TYPE__, int (*)(const void *, const void *));
static int apply(int (*f)(int), int x) { return f(x); }
int g(int n) {
  int total = 0;
  int arr[3] = {1, 2, 3};
  struct { int a, b; } s = {1, 2};
  int add(int x) { total += x; arr[1] = x; s.b++; return total; }
  int outer(int y) { int local = y; int inner(int z) { local += z; total += local; return n + z; } return inner(y) + inner(1) + add(local); }
  add(5); add(6);
  if (total != 11 || arr[1] != 6 || s.b != 4) __VERIFIER_error();
  int r = outer(2);
  if (r != n + 2 + n + 1 + total) __VERIFIER_error();
  if (apply(add, 3) != total) __VERIFIER_error();
  return total;
}
int fact(int n) {
  int mul(int k) { return n * k; }
  if (n <= 1) return 1;
  int r = fact(n - 1);
  return mul(r);
}
int main(void) {
  if (g(10) != 11 + 4 + 5 + 5 + 3) __VERIFIER_error();
  if (fact(5) != 120) __VERIFIER_error();
  int calls = 0;
  int cmp(const void *a, const void *b) { calls++; return *(int *)a - *(int *)b; }
  int v[4] = {4, 2, 3, 1};
  qsort(v, 4, sizeof *v, cmp);
  if (v[0] != 1 || v[3] != 4 || calls == 0) __VERIFIER_error();
  int plain(int x) { return x + 1; }
  return plain(-1);
}
