__attribute__((weak)) void assert(int c) { if (!c) assay_assertion("assert"); }
__attribute__((weak)) void sassert(int c) { if (!c) assay_assertion("sassert"); }
__attribute__((weak)) void abort_if_not(int c) { if (!c) _exit(1); }
__attribute__((weak)) void assume(int c) { if (!c) _exit(1); }
__attribute__((weak)) void assume_abort_if_not(int c) { if (!c) _exit(1); }
__attribute__((weak)) void __VERIFIER_assert(int c) { if (!c) assay_assertion("__VERIFIER_assert"); }
__attribute__((weak)) void __VERIFIER_silent_exit(int s) { _exit(s); }
__attribute__((weak)) void __CPROVER_assert(_Bool c, const char *s) { if (!c) assay_assertion("__CPROVER_assert"); }
__attribute__((weak)) void __CPROVER_precondition(_Bool c, const char *s) { if (!c) assay_assertion("__CPROVER_precondition"); }
__attribute__((weak)) void __CPROVER_postcondition(_Bool c, const char *s) { if (!c) assay_assertion("__CPROVER_postcondition"); }
__attribute__((weak)) void __CPROVER_assume(_Bool c) { if (!c) _exit(1); }
__attribute__((weak)) void __ESBMC_assert(_Bool c, const char *s) { if (!c) assay_assertion("__ESBMC_assert"); }
__attribute__((weak)) void __ESBMC_assume(_Bool c) { if (!c) _exit(1); }
__attribute__((weak)) void __ESBMC_unreachable(void) { assay_assertion("__ESBMC_unreachable"); }
__attribute__((weak)) void __SEAHORN_error(int n) { assay_assertion("__SEAHORN_error"); }
__attribute__((weak)) void __SEA_assume(_Bool c) { if (!c) _exit(1); }
__attribute__((weak)) void Frama_C_assert(_Bool c) { if (!c) assay_assertion("Frama_C_assert"); }
__attribute__((weak)) void klee_abort(void) { assay_assertion("klee_abort"); }
__attribute__((weak)) void klee_assert(int c) { if (!c) assay_assertion("klee_assert"); }
__attribute__((weak)) void klee_assume(unsigned long c) { if (!c) _exit(1); }
__attribute__((weak)) void klee_report_error(const char *f, int l, const char *m, const char *s) { assay_assertion("klee_report_error"); }
__attribute__((weak)) void klee_silent_exit(int s) { _exit(s); }
__attribute__((weak)) int klee_range(int a, int b, const char *n) { return (int)__assay_input_long_long(); }
__attribute__((weak)) unsigned long klee_choose(unsigned long n) { return (unsigned long)__assay_input_size(); }
__attribute__((weak)) int Frama_C_nondet(int a, int b) { return __assay_input_bool() ? a : b; }
__attribute__((weak)) void *Frama_C_nondet_ptr(void *a, void *b) { return __assay_input_bool() ? a : b; }
__attribute__((weak)) int Frama_C_interval(int a, int b) { return (int)__assay_input_long_long(); }
__attribute__((weak)) int Frama_C_interval_split(int a, int b) { return (int)__assay_input_long_long(); }
__attribute__((weak)) char Frama_C_char_interval(char a, char b) { return (char)__assay_input_long_long(); }
__attribute__((weak)) signed char Frama_C_signed_char_interval(signed char a, signed char b) { return (signed char)__assay_input_long_long(); }
__attribute__((weak)) unsigned char Frama_C_unsigned_char_interval(unsigned char a, unsigned char b) { return (unsigned char)__assay_input_long_long(); }
__attribute__((weak)) short Frama_C_short_interval(short a, short b) { return (short)__assay_input_long_long(); }
__attribute__((weak)) unsigned short Frama_C_unsigned_short_interval(unsigned short a, unsigned short b) { return (unsigned short)__assay_input_long_long(); }
__attribute__((weak)) int Frama_C_int_interval(int a, int b) { return (int)__assay_input_long_long(); }
__attribute__((weak)) unsigned Frama_C_unsigned_int_interval(unsigned a, unsigned b) { return (unsigned)__assay_input_long_long(); }
__attribute__((weak)) long Frama_C_long_interval(long a, long b) { return (long)__assay_input_long_long(); }
__attribute__((weak)) unsigned long Frama_C_unsigned_long_interval(unsigned long a, unsigned long b) { return (unsigned long)__assay_input_long_long(); }
__attribute__((weak)) long long Frama_C_long_long_interval(long long a, long long b) { return __assay_input_long_long(); }
__attribute__((weak)) unsigned long long Frama_C_unsigned_long_long_interval(unsigned long long a, unsigned long long b) { return (unsigned long long)__assay_input_long_long(); }
__attribute__((weak)) unsigned long Frama_C_size_t_interval(unsigned long a, unsigned long b) { return (unsigned long)__assay_input_long_long(); }
__attribute__((weak)) double Frama_C_double_interval(double a, double b) { return __assay_input_double(); }
__attribute__((weak)) float Frama_C_float_interval(float a, float b) { return (float)__assay_input_double(); }
__attribute__((weak)) void *__rust_alloc(unsigned long n, unsigned long a) { return __builtin_malloc(n); }
__attribute__((weak)) void *__rust_alloc_zeroed(unsigned long n, unsigned long a) { return __builtin_calloc(n, 1); }
__attribute__((weak)) void __rust_dealloc(void *p, unsigned long n, unsigned long a) { __builtin_free(p); }
__attribute__((weak)) void *__rust_realloc(void *p, unsigned long o, unsigned long a, unsigned long n) { return __builtin_realloc(p, n); }
