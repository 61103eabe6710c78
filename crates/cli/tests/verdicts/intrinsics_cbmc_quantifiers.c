// expect: true property: assert
int main(void) {
  int a[4] = {3, 1, 4, 1};
  unsigned n = 4;
  __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 4) ==> a[i] > 0 }, "all");
  __CPROVER_assert(!__CPROVER_forall { int i; 0 <= i && i <= 3 ==> a[i] > 1 }, "not all");
  __CPROVER_assert(__CPROVER_exists { unsigned i; i < n && a[i] == 4 }, "one");
  __CPROVER_assert(!__CPROVER_exists { int i; (i >= 0 && i < 4) && a[i] == 5 }, "none");
  __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 3) ==>
                     __CPROVER_exists { int j; (i <= j && j < 4) && a[j] == 1 } }, "nested");
  return 0;
}
