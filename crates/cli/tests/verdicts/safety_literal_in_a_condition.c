// expect: true property: valid-memsafety
// A literal in the head of a statement lives as long as the statement.
static int get(int *p) { return *p; }
int main(void) {
  int *kept, rounds = 0;
  while (get(kept = &(int){rounds}) < 3) rounds = *kept + 1;
  if ((kept = &(int){5})) rounds += *kept;
  return rounds - 8;
}
