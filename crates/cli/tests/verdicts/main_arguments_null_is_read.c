// expect: false(valid-deref) property: valid-memsafety
// Where there is one argument, or none, the second one is a null pointer or nothing.
int main(int argc, char **argv) {
  return argv[1][0]; // violation
}
