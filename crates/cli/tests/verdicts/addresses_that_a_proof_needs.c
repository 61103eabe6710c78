// expect: true
// property: unreach-call
// config: value-cegar
// also: symbolic-cegar
// A write through the pointer must not reach the lock: refinement tracks the pointer.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct device {
  int locked;
  int count;
};

static struct device first, second;

static void note(struct device *device) { device->count = __VERIFIER_nondet_int(); }

int main(void) {
  struct device *device = &first;
  first.locked = 1;
  while (__VERIFIER_nondet_int()) {
    note(device);
    device = &second;
    second.locked = __VERIFIER_nondet_int();
    if (first.locked != 1) reach_error();
  }
  return 0;
}
