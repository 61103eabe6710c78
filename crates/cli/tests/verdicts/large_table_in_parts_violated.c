// expect: false(unreach-call) config: bmc also: symbolic,predicate,fuzz,value-predicate
// A large initialised table: whole entries, parts of them, gaps, reads over two, and a write on one of two ways.
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
unsigned table[400] = {0,7,14,21,28,35,42,49,56,63,70,77,84,91,98,105,112,119,126,133,140,147,154,161,168,175,182,189,196,203,210,217,224,231,238,245,1,8,15,22,29,36,43,50,57,64,71,78,85,92,99,106,113,120,127,134,141,148,155,162,169,176,183,190,197,204,211,218,225,232,239,246,2,9,16,23,30,37,44,51, [200] = 0x04030201, 5};

int main(void) {
  unsigned char *bytes = (unsigned char *)table;
  unsigned short half;
  unsigned two;
  memcpy(&half, bytes + 802, sizeof half);
  memcpy(&two, bytes + 802, sizeof two);
  if (table[3] != 21 || table[150] != 0 || bytes[801] != 2) reach_error();
  if (half != 0x0403 || two != 0x00050403) reach_error();
  int choice = __VERIFIER_nondet_int();
  if (choice) table[3] = 1000;
  unsigned sum = table[3] + table[4];
  if (sum != (choice ? 1029 : 49)) reach_error(); // violation
  return 0;
}
