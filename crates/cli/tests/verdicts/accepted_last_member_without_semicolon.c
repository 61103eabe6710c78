// expect: true
extern void reach_error(void);
struct s { int a; int b };
union u { int x; char c };
int main(void) { struct s v = {1, 2}; union u w; w.x = 3; if (v.a + v.b + w.x != 6) reach_error(); return 0; }
