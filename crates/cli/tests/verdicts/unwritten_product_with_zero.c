// expect: true | unknown property: no-uninitialised-read
// two answers: the value decides nothing, which a solver sees and a test of shadows does not
int main(void) {
  unsigned x, zero = 0;
  if (x * zero)
    return 1;
  return 0;
}
