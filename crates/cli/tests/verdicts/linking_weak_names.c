// expect: true
// A weak name that nothing is defined by is null; another name for a definition is that definition.
extern void reach_error(void);
static void check(int condition) {
  if (!condition) reach_error();
}
extern int nowhere(void) __attribute__((weak));
extern int nothing __attribute__((weak));
int target(void) { return 7; }
int second(void) __attribute__((alias("target")));
extern int labelled(void) __asm__("target");
extern int fourth(void);
#pragma weak fourth
#pragma weak third = target
extern int third(void);
int object = 3;
extern int other __attribute__((alias("object")));
int (*table[2])(void) = {nowhere, target};
int main(void) {
  check(nowhere == 0 && &nothing == 0 && fourth == 0 && table[0] == 0);
  if (nowhere) check(nowhere() == 5);
  check(second() == 7 && labelled() == 7 && third() == 7 && table[1]() == 7);
  other++;
  check(object == 4 && &other == &object);
  return 0;
}
