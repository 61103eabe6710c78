// expect: true
// A call that fails leaves memory as it was.
#include <unistd.h>
#include <sys/stat.h>
extern void reach_error(void);
int main(void) {
  int x = 1;
  if (read(0, &x, sizeof x) <= 0 && x != 1) reach_error();
  struct stat status;
  status.st_size = 5;
  if (stat("name", &status) != 0 && status.st_size != 5) reach_error();
  return 0;
}
