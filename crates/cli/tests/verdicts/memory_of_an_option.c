// expect: unknown property: valid-memsafety
// getopt sets optarg to a string.
#include <unistd.h>
int main(int argc, char **argv) {
  int option = getopt(argc, argv, "f:");
  if (option == 'f') return optarg[0];
  return 0;
}
