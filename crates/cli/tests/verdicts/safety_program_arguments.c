// expect: true | unknown property: valid-memsafety
// two answers: what the arguments point to is not known
int main(int argc, char **argv) {
  char first = 0;
  if (argc > 0)
    first = argv[0][0];
  return first;
}
