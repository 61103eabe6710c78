// expect: true | unknown property: valid-memsafety
int main(int argc, char **argv) {
  char first = 0;
  if (argc > 0)
    first = argv[0][0];
  return first;
}
