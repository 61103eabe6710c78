// expect: true
// What the system returns has a range.
#include <fcntl.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
  int file = open("name", O_RDONLY);
  if (file < -1) reach_error();
  char text[4] = {0};
  int n = write(1, text, 4), m = read(0, text, 4);
  if (n > 4 || n < -1 || m > 4 || m < -1) reach_error();
  if (close(file) > 0) reach_error();
  return 0;
}
