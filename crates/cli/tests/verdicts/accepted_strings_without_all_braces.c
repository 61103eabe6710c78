// expect: true
extern void reach_error(void);
char s[1][1][5] = {"1234"};
char t[2][1][3] = {"ab", "cd"};
int main(void) { char u[1][1][1][4] = {"xyz"}; if (s[0][0][3] != '4' || t[1][0][1] != 'd' || u[0][0][0][2] != 'z') reach_error(); return 0; }
