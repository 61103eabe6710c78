// expect: true
// The order of bytes is known.
#include <arpa/inet.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (htonl(0x11223344) != 0x44332211 || ntohs(0x1122) != 0x2211) reach_error();
  if (ntohl(htonl(x)) != x || htons(ntohs((unsigned short)x)) != (unsigned short)x) reach_error();
  return 0;
}
