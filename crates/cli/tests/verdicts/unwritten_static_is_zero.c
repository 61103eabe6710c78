// expect: true property: no-uninitialised-read
static int g[3];
int h;
int main(void) {
  static int s;
  return g[1] || h || s;
}
