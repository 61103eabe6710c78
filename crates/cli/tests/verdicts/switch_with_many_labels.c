// expect: true config: symbolic also: auto
// The labels of one statement share an edge; what is behind them knows that the value is one of them, and no other.
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
static int class(char c) {
  switch (c) {
  case '0': case '1': case '2': case '3': case '4':
  case '5': case '6': case '7': case '8': case '9':
  case '+': case '-':
    return 1;
  case 'a': case 'b':
    return 2;
  case -128: case -127: case -1: case 127:
    c = 5;
    /* falls through */
  case 5: case 6: case 7: case 8:
    return c;
  default:
    return 0;
  }
}
int main(void) {
  char c = __VERIFIER_nondet_char();
  int kind = class(c);
  if (kind == 1 && c != '+' && c != '-' && (c < '0' || c > '9')) reach_error();
  if (kind == 5 && c != 5 && c != -128 && c != -127 && c != -1 && c != 127) reach_error();
  if (kind == 0 && ((c >= '0' && c <= '9') || c == -1 || c == 127 || c == 'a')) reach_error();
  if (kind == 6 && c != 6) reach_error();
  return 0;
}
