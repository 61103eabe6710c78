// expect: false(unreach-call)
extern void reach_error(void);
static int state;
__attribute__((destructor)) static void first(void) { if (state == 2) reach_error(); } // violation
__attribute__((destructor)) static void second(void) { state++; }
int main(void) { state = 1; return 0; }
