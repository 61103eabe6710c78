// expect: true
extern void reach_error(void);
int main(void) { __label__ a, b; int x = 0; goto b; x = 1; b: if (x) reach_error(); return 0; }
