// expect: true
extern void reach_error(void);
struct c d;
struct c { int a; };
enum e f;
enum e { one = 1 };
int main(void) { d.a = 3; f = one; if (d.a != 3 || f != 1) reach_error(); return 0; }
