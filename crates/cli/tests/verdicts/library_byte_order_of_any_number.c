// expect: true
// Twice is nothing, and the first byte is the highest one.
#include <arpa/inet.h>
#include <byteswap.h>
#include <endian.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned n = htonl(x);
  if (ntohl(n) != x || *(unsigned char *)&n != x >> 24) reach_error();
  if (ntohs(htons((unsigned short)x)) != (unsigned short)x || htons(0x1234) != 0x3412) reach_error();
  if (bswap_32(x) != n || bswap_16(0x0102) != 0x0201 || bswap_64(1) != 1ULL << 56) reach_error();
  if (htobe32(x) != n || htole32(x) != x || be64toh(1) != 1ULL << 56) reach_error();
  return 0;
}
