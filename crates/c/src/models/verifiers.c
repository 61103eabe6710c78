/* Intrinsics of verifiers. Whether bytes are there is all that is asked of memory: an object begins where nothing before it is of the
   same object, and ends where nothing behind it is. */
int __assay_readable(const void *, size_t);
size_t __assay_input_size(void);
long long __assay_input_long_long(void);
double __assay_input_double(void);
_Bool __assay_input_bool(void);
void __assay_input_memory(void *, size_t);
static size_t __assay_before(const char *p) {
  if (!__assay_readable(p, 1)) { if (p) __assay_unknown_effects(); return 0; }
  if (!__assay_readable(p - 1, 2)) return 0;
  size_t offset = __assay_input_size();
  __VERIFIER_assume(offset > 0 && offset < (size_t)-1 >> 1);
  __VERIFIER_assume(__assay_readable(p - offset, offset + 1));
  __VERIFIER_assume(!__assay_readable(p - offset - 1, offset + 2));
  return offset;
}
static size_t __assay_behind(const char *p) {
  if (!__assay_readable(p, 1)) { if (p) __assay_unknown_effects(); return 0; }
  size_t size = __assay_input_size();
  __VERIFIER_assume(size > 0 && size < (size_t)-1 >> 1);
  __VERIFIER_assume(__assay_readable(p, size));
  __VERIFIER_assume(!__assay_readable(p, size + 1));
  return size;
}
static size_t __assay_size(const char *p) { return __assay_before(p) + __assay_behind(p); }
static _Bool __assay_same(const char *p, const char *q) {
  return (size_t)p == (size_t)q || (p && q && (size_t)p - __assay_before(p) == (size_t)q - __assay_before(q));
}
size_t __CPROVER_OBJECT_SIZE(const void *p) { return __assay_size(p); }
ssize_t __CPROVER_POINTER_OFFSET(const void *p) { return (ssize_t)__assay_before(p); }
_Bool __CPROVER_same_object(const void *p, const void *q) { return __assay_same(p, q); }
void __CPROVER_havoc_object(void *p) { size_t before = __assay_before(p); __assay_input_memory((char *)p - before, before + __assay_behind(p)); }
unsigned __ESBMC_get_object_size(const void *p) { return (unsigned)__assay_size(p); }
ssize_t __ESBMC_POINTER_OFFSET(const void *p) { return (ssize_t)__assay_before(p); }
_Bool __ESBMC_same_object(const void *p, const void *q) { return __assay_same(p, q); }
size_t klee_get_obj_size(void *p) { return __assay_size(p); }
int klee_range(int low, int high, const char *name) { int x = (int)__assay_input_long_long(); (void)name; __VERIFIER_assume(x >= low && x < high); return x; }
size_t klee_choose(size_t n) { size_t x = __assay_input_size(); __VERIFIER_assume(x < n); return x; }
int Frama_C_nondet(int a, int b) { return __assay_input_bool() ? a : b; }
void *Frama_C_nondet_ptr(void *a, void *b) { return __assay_input_bool() ? a : b; }
#define __ASSAY_INTERVAL(NAME, TYPE) TYPE NAME(TYPE low, TYPE high) { \
  TYPE x = (TYPE)__assay_input_long_long(); __VERIFIER_assume(x >= low && x <= high); return x; }
__ASSAY_INTERVAL(Frama_C_interval, int)
__ASSAY_INTERVAL(Frama_C_interval_split, int)
__ASSAY_INTERVAL(Frama_C_char_interval, char)
__ASSAY_INTERVAL(Frama_C_signed_char_interval, signed char)
__ASSAY_INTERVAL(Frama_C_unsigned_char_interval, unsigned char)
__ASSAY_INTERVAL(Frama_C_short_interval, short)
__ASSAY_INTERVAL(Frama_C_unsigned_short_interval, unsigned short)
__ASSAY_INTERVAL(Frama_C_int_interval, int)
__ASSAY_INTERVAL(Frama_C_unsigned_int_interval, unsigned)
__ASSAY_INTERVAL(Frama_C_long_interval, long)
__ASSAY_INTERVAL(Frama_C_unsigned_long_interval, unsigned long)
__ASSAY_INTERVAL(Frama_C_long_long_interval, long long)
__ASSAY_INTERVAL(Frama_C_unsigned_long_long_interval, unsigned long long)
__ASSAY_INTERVAL(Frama_C_size_t_interval, size_t)
double Frama_C_double_interval(double low, double high) { double x = __assay_input_double(); __VERIFIER_assume(x >= low && x <= high); return x; }
float Frama_C_float_interval(float low, float high) { float x = (float)__assay_input_double(); __VERIFIER_assume(x >= low && x <= high); return x; }
void *__rust_alloc_zeroed(size_t n, size_t align) { char *p = malloc(n); size_t i; (void)align; for (i = 0; p && i < n; i++) p[i] = 0; return p; }
void *__rust_realloc(void *p, size_t old, size_t align, size_t n) { (void)old; (void)align; return realloc(p, n); }
