// expect: true
extern void reach_error(void);
#include <stddef.h>
struct T { int x; int y; };
struct S { int a; struct T u[1]; struct T t; };
int main(void) { if (offsetof(struct S, u->y) != 8 || __builtin_offsetof(struct S, u[0].y) != 8) reach_error(); return 0; }
