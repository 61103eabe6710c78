// expect: false(valid-deref) property: valid-memsafety
// An argument of one byte has no third one.
int main(int argc, char **argv) {
  if (argc != 2) return 0;
  return argv[1][0] == '-' && argv[1][2] == 'y'; // violation
}
