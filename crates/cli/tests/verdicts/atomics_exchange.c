// expect: true
// Exchanges read the new value once; flags touch one byte.
extern void reach_error(void);
static void check(int condition) {
  if (!condition) reach_error();
}
int w = 5, n = 7, o;
unsigned char bytes[4] = {1, 0, 1, 1};
int word = 0x01010100;
int main(void) {
  __atomic_exchange(&w, &n, &o, __ATOMIC_SEQ_CST);
  check(w == 7 && o == 5 && n == 7);
  check(__atomic_exchange_n(&w, 9, __ATOMIC_SEQ_CST) == 7 && w == 9);
  check(!__atomic_test_and_set(&bytes[1], __ATOMIC_SEQ_CST) && bytes[1] == 1 && bytes[2] == 1);
  __atomic_clear(&bytes[2], __ATOMIC_SEQ_CST);
  check(bytes[1] == 1 && bytes[2] == 0 && bytes[3] == 1);
  check(!__atomic_test_and_set(&word, __ATOMIC_SEQ_CST) && word == 0x01010101);
  __atomic_clear(&word, __ATOMIC_SEQ_CST);
  check(word == 0x01010100);
  return 0;
}
