// expect: false(unreach-call)
extern void reach_error(void);
union U { unsigned a : 4; int i; };
int main(void) {
  union U u = {.a = 5, .i = 0};
  if (u.a == 0) reach_error(); // violation
  return 0;
}
