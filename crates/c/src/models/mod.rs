//! The library functions that are known by name: what a call of one without a body means.
//!
//! A function is added in one of two ways. If it can be written in C, it goes into `library.c` and its name into
//! [`WRITTEN_IN_C`]; it is then lowered like any other function, so every access to memory is visible. If it needs an
//! operation of its own (allocation, a float operator, the end of the program), it gets a line in [`find`] and, if no
//! [`Model`] fits, a new one with its meaning in `lower/library.rs`. Functions of the system that write through their
//! arguments are lines of a table in `writers.rs`. A function that is in no list returns any value and writes nothing, and
//! is named in the ledger.

mod writers;

pub(crate) use writers::{Extent, Outcome, Written};

/// What a call means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Model {
    /// An input of the program.
    Nondet,
    /// An input that is 0 or 1.
    NondetBool,
    /// Fills memory with inputs: pointer, size.
    NondetMemory,
    /// The path goes on only where the argument is not zero.
    Assume,
    /// Ends the program.
    Halt,
    /// `malloc(size)`.
    Allocate,
    /// `calloc(count, size)`.
    AllocateZeroed,
    /// `realloc(pointer, size)`.
    Reallocate,
    /// `aligned_alloc(alignment, size)` and `memalign`.
    AllocateAligned,
    /// `alloca(size)`.
    AllocateStack,
    Free,
    /// `memcpy` and `memmove`; `end` for `mempcpy`.
    CopyMemory {
        end: bool,
    },
    /// `memset(pointer, byte, size)`.
    FillMemory,
    /// `bzero(pointer, size)`.
    ZeroMemory,
    /// Output and the like: no effect on the program's state, any result.
    NoEffect,
    /// No effect, result zero.
    Zero,
    /// `scanf` and its family: writes through every pointer after the first `usize` arguments.
    Scan(usize),
    /// `sprintf`, and `snprintf` with its bound.
    PrintInto {
        bounded: bool,
    },
    /// Any value, for functions of `library.c` that are not computed exactly.
    Any,
    /// `fgets(buffer, size, file)`.
    ReadLine,
    /// `read(file, buffer, size)`.
    ReadBytes,
    Float(FloatFunction),
    /// Starts or joins a thread.
    Thread(&'static str),
    /// `setjmp` and `longjmp`.
    NonLocalJump,
    /// `fread(buffer, size, count, file)`.
    ReadItems,
    /// `signal(number, handler)`: a handler may run at any time.
    SignalHandler,
    /// Writes anything through these arguments.
    Writes(&'static [Written], Outcome),
    /// `getopt`: sets the variables of the library by which it speaks.
    ReadOptions,
    /// `fesetround(mode)`: floats are rounded to nearest, and no other mode is modelled.
    SetRounding,
    /// Calls functions of the program later, or writes memory in a way that is not modelled.
    Unmodelled,
}

/// Functions on floats that the automaton computes exactly, and the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatFunction {
    Magnitude,
    CopySign,
    SquareRoot,
    Floor,
    Ceiling,
    Truncate,
    /// To the nearest, halves away from zero.
    Round,
    /// To the nearest, halves to even: the rounding mode is never changed.
    RoundEven,
    /// `lround`, `lrint`: to an integer.
    RoundToInteger,
    RoundEvenToInteger,
    Remainder,
    Minimum,
    Maximum,
    PositiveDifference,
    IsNan,
    IsInfinite,
    IsFinite,
    IsNormal,
    SignBit,
    Classify,
    Nan,
    Infinity,
    /// Any value: `sin`, `exp`, `pow`, ….
    Approximated,
}

/// The text of the functions that are written in C.
pub(crate) const LIBRARY: &str = include_str!("library.c");

/// The names that `library.c` defines.
pub(crate) const WRITTEN_IN_C: &[&str] = &[
    "time",
    "clock",
    "getpid",
    "isatty",
    "rand",
    "random",
    "getchar",
    "getc",
    "fgetc",
    "strlen",
    "strnlen",
    "strcpy",
    "stpcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strcmp",
    "strncmp",
    "isdigit",
    "isupper",
    "islower",
    "isalpha",
    "isalnum",
    "isspace",
    "isblank",
    "iscntrl",
    "isprint",
    "isgraph",
    "isxdigit",
    "ispunct",
    "toupper",
    "tolower",
    "strcasecmp",
    "strncasecmp",
    "strchr",
    "strrchr",
    "strstr",
    "strspn",
    "strcspn",
    "strpbrk",
    "strdup",
    "strndup",
    "memcmp",
    "bcmp",
    "memchr",
    "abs",
    "labs",
    "llabs",
    "atol",
    "atoi",
    "ffs",
    "modf",
    "strtoul",
    "strtoull",
    "strtol",
    "strtoll",
    "strtod",
    "atof",
    "atoll",
    "strtof",
    "strtold",
    "frexp",
    "sincos",
    "posix_memalign",
    "strchrnul",
    "strtok",
    "strtok_r",
    "__strtok_r",
    "strsep",
    "bcopy",
    "memccpy",
    "memrchr",
    "ffsl",
    "ffsll",
    "modff",
    "__ctype_b_loc",
    "__errno_location",
    "qsort",
    "bsearch",
];

/// The model of a function, by name.
pub(crate) fn find(name: &str) -> Option<Model> {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    if plain == "__VERIFIER_nondet_bool" || plain == "__VERIFIER_nondet__Bool" {
        return Some(Model::NondetBool);
    }
    if plain == "__VERIFIER_nondet_memory" {
        return Some(Model::NondetMemory);
    }
    if plain.starts_with("__VERIFIER_nondet") {
        return Some(Model::Nondet);
    }
    Some(match plain {
        "__VERIFIER_assume" | "__CPROVER_assume" => Model::Assume,
        "abort"
        | "exit"
        | "_exit"
        | "_Exit"
        | "quick_exit"
        | "__assert_fail"
        | "__assert"
        | "__assert_rtn"
        | "__assert_perror_fail"
        | "pthread_exit"
        | "__stack_chk_fail"
        | "trap" => Model::Halt,
        "malloc" | "valloc" => Model::Allocate,
        "calloc" => Model::AllocateZeroed,
        "realloc" => Model::Reallocate,
        "aligned_alloc" | "memalign" => Model::AllocateAligned,
        "alloca" | "__alloca" => Model::AllocateStack,
        "free" | "cfree" => Model::Free,
        "memcpy" | "memmove" | "__memcpy" | "__memcpy_chk" | "__memmove_chk" => Model::CopyMemory { end: false },
        "mempcpy" | "__mempcpy" => Model::CopyMemory { end: true },
        "memset" | "__memset" | "__memset_chk" => Model::FillMemory,
        "bzero" | "__bzero" => Model::ZeroMemory,
        "printf" | "fprintf" | "vprintf" | "vfprintf" | "puts" | "fputs" | "putchar" | "putc" | "fputc" | "_IO_putc" | "fflush"
        | "perror" | "printk" | "fclose" | "fwrite" | "write" | "syslog" | "dprintf" | "setbuf" | "setvbuf" | "srand" | "srandom"
        | "sleep" | "usleep" | "close" | "open" | "feof" | "ferror" | "sched_yield" | "prefetch" => Model::NoEffect,
        "__VERIFIER_atomic_begin"
        | "__VERIFIER_atomic_end"
        | "pthread_mutex_lock"
        | "pthread_mutex_unlock"
        | "pthread_mutex_init"
        | "pthread_mutex_destroy"
        | "pthread_mutex_trylock"
        | "pthread_attr_init"
        | "pthread_attr_destroy"
        | "pthread_cond_init"
        | "pthread_cond_destroy"
        | "pthread_cond_signal"
        | "pthread_cond_broadcast"
        | "pthread_mutexattr_init"
        | "pthread_mutexattr_settype"
        | "pthread_attr_setdetachstate" => Model::Zero,
        "pthread_create" => Model::Thread("pthread_create"),
        "pthread_join" => Model::Thread("pthread_join"),
        "pthread_cond_wait" => Model::Thread("pthread_cond_wait"),
        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" | "longjmp" | "_longjmp" | "siglongjmp" => Model::NonLocalJump,
        "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => Model::Scan(1),
        "fscanf" | "sscanf" | "__isoc99_fscanf" | "__isoc99_sscanf" | "__isoc23_fscanf" | "__isoc23_sscanf" => Model::Scan(2),
        "sprintf" | "vsprintf" | "__sprintf_chk" | "swprintf" => Model::PrintInto { bounded: false },
        "snprintf" | "vsnprintf" | "__snprintf_chk" => Model::PrintInto { bounded: true },
        "__assay_any_double" | "__assay_any_int" | "__assay_any_long" => Model::Any,
        "__assay_input_int" | "__assay_input_long" => Model::NoEffect,
        "fread" => Model::ReadItems,
        "signal" | "bsd_signal" | "sysv_signal" => Model::SignalHandler,
        "atexit" | "on_exit" | "at_quick_exit" | "raise" | "sigaction" => Model::Unmodelled,
        "fesetround" => Model::SetRounding,
        "fegetround" => Model::Zero,
        "fesetenv" | "feupdateenv" => Model::Unmodelled,
        "fgets" => Model::ReadLine,
        "read" => Model::ReadBytes,
        "getopt" | "getopt_long" | "getopt_long_only" => Model::ReadOptions,
        name if writers::is_unmodelled(name) => Model::Unmodelled,
        name if writers::is_determined(name) => Model::Any,
        name => return writers::find(name).or_else(|| float_function(name).map(Model::Float)),
    })
}

fn float_function(name: &str) -> Option<FloatFunction> {
    use FloatFunction::*;
    let exact = |name: &str| {
        Some(match name {
            "fabs" => Magnitude,
            "copysign" => CopySign,
            "sqrt" => SquareRoot,
            "floor" => Floor,
            "ceil" => Ceiling,
            "trunc" => Truncate,
            "round" => Round,
            "rint" | "nearbyint" => RoundEven,
            "lround" | "llround" => RoundToInteger,
            "lrint" | "llrint" => RoundEvenToInteger,
            "fmod" => Remainder,
            "fmin" => Minimum,
            "fmax" => Maximum,
            "fdim" => PositiveDifference,
            "isnan" | "__isnan" => IsNan,
            "isinf" | "__isinf" | "isinf_sign" => IsInfinite,
            "isfinite" | "finite" | "__finite" => IsFinite,
            "isnormal" => IsNormal,
            "signbit" | "__signbit" => SignBit,
            "__fpclassify" => Classify,
            "nan" => Nan,
            "inf" | "huge_val" => Infinity,
            "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "atan2" | "sinh" | "cosh" | "tanh" | "exp" | "exp2" | "expm1" | "log"
            | "log2" | "log10" | "log1p" | "pow" | "cbrt" | "hypot" | "erf" | "lgamma" | "tgamma" | "remainder" | "fma" | "asinh"
            | "acosh" | "atanh" | "ldexp" | "scalbn" | "nextafter" | "logb" | "ilogb" | "drem" => Approximated,
            _ => return None,
        })
    };
    let cut = |suffix| name.strip_suffix(suffix).and_then(exact);
    exact(name).or_else(|| cut("f")).or_else(|| cut("l"))
}
