#include <string.h>
struct packet {
  char kind;
  char payload[7];
};
int main(void) {
  char from[16] = "0123456789abcde";
  struct packet to;
  memcpy(&to, from, sizeof from);
  return to.kind;
}
