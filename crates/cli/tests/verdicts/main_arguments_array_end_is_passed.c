// expect: false(valid-deref) property: valid-memsafety
// Behind the null pointer there is nothing.
int main(int argc, char **argv) {
  char *last = argv[argc + 1]; // violation
  return last == 0;
}
