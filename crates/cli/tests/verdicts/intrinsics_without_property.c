// expect: false(unreach-call) property: all
int main(void) { int x = nondet_int(); __CPROVER_assume(x > 0); assert(x > 1); } // violation
