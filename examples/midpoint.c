// Binary search with the famous overflow: (low + high) does not fit into int for large arrays.
//   assay verify --property no-overflow examples/midpoint.c
extern int __VERIFIER_nondet_int(void);

int midpoint(int low, int high) {
  return (low + high) / 2;
}

int main(void) {
  int size = __VERIFIER_nondet_int();
  if (size <= 0)
    return 0;
  int low = size / 2;
  int high = size - 1;
  if (low < high)
    low = midpoint(low, high);
  return low;
}
