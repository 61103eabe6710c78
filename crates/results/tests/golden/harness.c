/* Test harness made by Assay: the program takes the path to a violation of unreach-call.
   Compile and run it together with the program:  cc -O0 -fwrapv program.c harness.c && ./a.out
   With -finstrument-functions it also reports an error function that has a body without effect.
*/

static const long long values_of___VERIFIER_nondet_int[1] = {
    7LL,
};
static unsigned calls_of___VERIFIER_nondet_int;
__attribute__((weak)) int __VERIFIER_nondet_int() {
  unsigned call = calls_of___VERIFIER_nondet_int++;
  return (int)values_of___VERIFIER_nondet_int[call < 1 ? call : 0];
}

extern int dprintf(int, const char *, ...);
extern void _exit(int) __attribute__((noreturn));

__attribute__((weak)) void __VERIFIER_assume(int condition) {
  if (!condition) _exit(1);
}
__attribute__((weak)) void __VERIFIER_atomic_begin(void) {}
__attribute__((weak)) void __VERIFIER_atomic_end(void) {}

__attribute__((weak, no_instrument_function)) void reach_error() {
  dprintf(2, "assay: reach_error was reached\n");
  __builtin_abort();
}
__attribute__((weak, no_instrument_function)) void __cyg_profile_func_enter(void *callee, void *site) {
  if (callee == (void *)&reach_error) {
    dprintf(2, "assay: reach_error was reached\n");
    __builtin_abort();
  }
}
__attribute__((weak, no_instrument_function)) void __cyg_profile_func_exit(void *callee, void *site) {}

__attribute__((weak)) void __VERIFIER_error() {
  __builtin_abort();
}
