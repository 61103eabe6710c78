// expect: true property: no-overflow

// The increment is computed in int and converted back, which does not overflow.
int main(void) {
  signed char c = 127;
  c++;
  unsigned char u = 255;
  ++u;
  short s = -32767 - 1;
  s--;
  return c + u + s;
}
