// expect: true property: valid-memsafety model: LP64,ILP32
// Texts end in a zero, so that one byte after the other can be looked at.
int main(int argc, char **argv) {
  if (argc < 2) return 0;
  argv[1][0] = argv[1][0] == 'x' ? 'z' : argv[1][0];
  return argv[1][0] == 'x' && argv[1][1] == 'y';
}
