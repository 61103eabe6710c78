// expect: false(unreach-call)
extern void reach_error(void);

int unknown_library_call(int x);
int main(void) {
  int global_before = 5;
  if (unknown_library_call(1) == 99 && global_before == 5)
    reach_error(); // violation
  return 0;
}
