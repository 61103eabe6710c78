// expect: unknown property: all
// What could go wrong is in a function that is not there.
void helper(int);
int main(void) {
  helper(3);
  return 0;
}
