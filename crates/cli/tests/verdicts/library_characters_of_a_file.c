// expect: true
// What is read from a stream is a byte or EOF, and a number of items is no more than what was asked for.
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
  char buffer[8];
  int c = getchar();
  if (c < -1 || c > 255) reach_error();
  if (fread(buffer, 2, 4, stdin) > 4) reach_error();
  long n = read(0, buffer, sizeof buffer);
  if (n < -1 || n > 8) reach_error();
  n = recv(3, buffer, 4, 0);
  if (n < -1 || n > 4) reach_error();
  n = send(3, buffer, 4, 0);
  if (n < -1 || n > 4) reach_error();
  int s = socket(AF_INET, SOCK_STREAM, 0);
  if (s < -1) reach_error();
  return 0;
}
