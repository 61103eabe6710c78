/* What every file of models begins with. */
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTMAX_TYPE__ uintmax_t;
typedef __builtin_va_list va_list;
/* Values that nobody may choose, and values that the system gives; reads that are checked; effects that nobody follows. */
double __assay_any_double(void);
int __assay_any_int(void);
long __assay_any_long(void);
void *__assay_any_pointer(void);
int __assay_given_int(void);
long __assay_given_long(void);
void *__assay_given_pointer(void);
void __assay_read(const void *, size_t);
void __assay_unknown_effects(void);
void __VERIFIER_assume(int);
void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);
