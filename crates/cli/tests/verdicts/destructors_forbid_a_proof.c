// expect: unknown
extern void reach_error(void);
__attribute__((destructor)) static void last(void) { reach_error(); }
int main(void) { return 0; }
