// expect: false(valid-deref) property: valid-memsafety also: symbolic also: value also: predicate also: bmc also: k-induction-paths
// A pointer to characters before the beginning of its object has no text to be shown.
int main(void) {
  char a[4] = {0};
  char *e = a;
  e--;
  *e = 1; // error
  return 0;
}
