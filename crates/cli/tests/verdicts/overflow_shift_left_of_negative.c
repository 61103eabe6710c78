// expect: true property: no-overflow

// Only the result of + - * / and unary minus counts here: the shift stays in range.
int main(void) {
  int x = 1;
  x = x << 4;
  return x - 16;
}
