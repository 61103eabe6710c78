// expect: unknown property: valid-memsafety
// Variables that are defined somewhere else: a pointer, a structure with one, an array of unknown length.
extern int table[];
extern int *pointer;
extern struct pair { int *first; int second; } pair;
extern int __VERIFIER_nondet_int(void);
int main(void) {
  switch (__VERIFIER_nondet_int()) {
    case 0: return table[1];
    case 1: return *pointer;
    default: return *pair.first;
  }
}
