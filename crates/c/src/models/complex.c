/* Complex numbers: their parts, and what follows from them. */
#define __ASSAY_COMPLEX(type, x_) \
type hypot##x_(type, type); \
type atan2##x_(type, type); \
type copysign##x_(type, type); \
type creal##x_(type _Complex z) { return __real__ z; } \
type cimag##x_(type _Complex z) { return __imag__ z; } \
type cabs##x_(type _Complex z) { return hypot##x_(__real__ z, __imag__ z); } \
type carg##x_(type _Complex z) { return atan2##x_(__imag__ z, __real__ z); } \
type _Complex conj##x_(type _Complex z) { return ~z; } \
type _Complex cproj##x_(type _Complex z) { \
  if (!__builtin_isinf(__real__ z) && !__builtin_isinf(__imag__ z)) return z; \
  return __builtin_complex((type)__builtin_inf(), copysign##x_((type)0, __imag__ z)); \
}
__ASSAY_COMPLEX(double, )
__ASSAY_COMPLEX(float, f)
__ASSAY_COMPLEX(long double, l)
