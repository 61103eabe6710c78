// expect: false(unreach-call)
// What the compiler makes of calls under _FORTIFY_SOURCE does what the calls do.
extern void reach_error(void);
int main(void) {
  char to[8], from[8] = "abc";
  __builtin___memcpy_chk(to, from, 4, __builtin_object_size(to, 0));
  __builtin___strcat_chk(to, "d", __builtin_object_size(to, 0));
  if (to[2] == 'c' && to[3] == 'd' && to[4] == 0) reach_error(); // violation
  return 0;
}
