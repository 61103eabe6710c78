// expect: true
extern void reach_error(void);
int g() { int *p = malloc(4); *p = 3; return *p; }
char *malloc();
int main() { if (g() != 3) reach_error(); return 0; }
