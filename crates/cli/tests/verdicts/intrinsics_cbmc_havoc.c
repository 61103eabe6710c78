// expect: false(unreach-call) property: assert
struct pair { int first, second[4]; };
int main(void) {
  struct pair pair = {0};
  int other = 1;
  __CPROVER_havoc_object(&pair.second[1]);
  __CPROVER_assert(other == 1, "another object");
  if (pair.first == 77 && pair.second[3] == 5)
    __CPROVER_assert(0, "all of the object"); // violation
  return 0;
}
