// expect: true
extern void reach_error(void);
static int state;
__attribute__((destructor(200))) static void last(void) { if (state != 3) reach_error(); }
__attribute__((destructor)) static void second(void) { state += 2; }
__attribute__((destructor)) static void first(void) { if (state != 0) reach_error(); state = 1; }
int main(void) { return 0; }
