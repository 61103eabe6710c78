// expect: true property: valid-memsafety
// Where there is an argument, it has a first byte.
int main(int argc, char **argv) {
  char first = 0;
  if (argc > 0)
    first = argv[0][0];
  return first;
}
