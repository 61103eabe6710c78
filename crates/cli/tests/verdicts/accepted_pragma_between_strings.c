// expect: true
extern void reach_error(void);
const char *p = "a"
#pragma x
"b";
int main(void) { if (p[1] != 'b') reach_error(); return 0; }
