// expect: false(unreach-call) config: value-predicate also: value-cegar
// Predicates do not name the elements of a list, so that they get stuck; values follow the one path that there is.
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long);
extern void reach_error(void);
struct element {
  int value;
  struct element *next;
};
int main(void) {
  struct element *list = 0;
  unsigned count = __VERIFIER_nondet_uint() % 5;
  for (unsigned i = 0; i < count; i++) {
    struct element *e = malloc(sizeof *e);
    e->value = i;
    e->next = list;
    list = e;
  }
  int sum = 0;
  for (; list; list = list->next) sum += list->value;
  if (sum == 6) reach_error(); // violation
  return 0;
}
