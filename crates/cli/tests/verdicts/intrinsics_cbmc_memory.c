// expect: true property: assert
#include <stdlib.h>
struct pair { int first, second[4]; };
int main(void) {
  char *p = malloc(10);
  int a[3];
  struct pair pair = {0};
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(p) == 10, "from its start");
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(&pair.second[1]) == sizeof pair, "from within");
  __CPROVER_assert(__CPROVER_POINTER_OFFSET(a + 1) == 4, "of an element");
  __CPROVER_assert(__CPROVER_same_object(p, p + 3), "one object");
  __CPROVER_assert(!__CPROVER_same_object(p, a), "two objects");
  __CPROVER_assert(__CPROVER_r_ok(p, 10) && !__CPROVER_r_ok(p, 11), "as many bytes as there are");
  __CPROVER_assert(__CPROVER_w_ok(a, 12) && __CPROVER_rw_ok(&a[2]) && !__CPROVER_rw_ok(&a[3]), "elements");
  __CPROVER_assert(!__CPROVER_w_ok("text", 1) && __CPROVER_r_ok("text", 5), "texts are not written");
  free(p);
  __CPROVER_assert(!__CPROVER_r_ok(p, 1), "freed");
  return 0;
}
