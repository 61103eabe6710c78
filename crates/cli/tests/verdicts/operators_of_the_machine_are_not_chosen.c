// expect: unknown
extern void reach_error(void);
typedef char v16 __attribute__((vector_size(16)));
int main(void) {
  v16 v = {-1, 1, -1};
  if (__builtin_ia32_pmovmskb128(v) != 5) reach_error();
  return 0;
}
