// expect: unknown property: valid-memsafety
// Of the fifth argument nobody knows where its text ends: neither a proof nor a violation.
int main(int argc, char **argv) {
  return argc > 5 && argv[4][0] == 'x' && argv[4][1] == 'y';
}
