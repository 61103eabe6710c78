// expect: unknown property: valid-memsafety
// The same for any function without a body.
struct item { int value; };
extern struct item *find_item(int key);
int main(void) {
  struct item *found = find_item(3);
  return found->value;
}
