/* setjmp and longjmp: across calls, in recursion, in a switch and a loop, out of a model of the library. */
#include <setjmp.h>
#include <stdlib.h>
extern void __VERIFIER_error(void);
jmp_buf env, other;
static int depth;
static void deep(int n) { int a[3]; a[n % 3] = n; if (n == 0) longjmp(env, 7); deep(n - 1); depth += a[n % 3]; }
static int twice(void) { int r = setjmp(other); if (r == 0) longjmp(other, 0); return r; }
static int rec(int n) {
  jmp_buf mine; volatile int k = n;
  int r = setjmp(mine);
  if (r) return r + k;
  if (n > 0) k += rec(n - 1);
  longjmp(mine, k + 1);
}
static void (*fp)(int) = deep;
static int cmp(const void *a, const void *b) { longjmp(env, 99); return 0; }
int main(void) {
  volatile int count = 0;
  int r = setjmp(env);
  if (r == 0) { count++; deep(5); __VERIFIER_error(); }
  if (r != 7 || count != 1 || depth != 0) __VERIFIER_error();
  if (twice() != 1) __VERIFIER_error();
  if (rec(2) != 6 + 0 * r) { if (rec(0) != 1) __VERIFIER_error(); }
  switch (setjmp(env)) {
    case 0: fp(2); __VERIFIER_error();
    case 7: count = 5; break;
    default: __VERIFIER_error();
  }
  if (count != 5) __VERIFIER_error();
  for (int i = 0; i < 3; i++) {
    if (setjmp(env) == 0) deep(i);
    else count++;
  }
  if (count != 8) __VERIFIER_error();
  int xs[3] = {3, 2, 1};
  if (!(r = setjmp(env))) { qsort(xs, 3, sizeof *xs, cmp); __VERIFIER_error(); }
  if (r != 99) __VERIFIER_error();
  { int x = 1; if (!sigsetjmp(env, 1)) { int y = 2; int *p = &y; *p = x; siglongjmp(env, *p); } }
  return 0;
}
