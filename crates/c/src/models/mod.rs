//! The library functions that are known by name: what a call of one without a body means.
//!
//! Every function that a header declares has a line in `table.txt`: a model in C (one of the files beside it, lowered
//! like any other function, so every access to memory is visible), an operation of the automaton, a contract, or
//! unknown effects. Nothing that is in the table counts as having no effect unless its line says so. A function that is
//! in no line is the program's own.

mod demand;
#[cfg(test)]
mod documents;
mod table;

pub(crate) use demand::{Demand, demand, is_pointer};
pub(crate) use table::{Access, Contract, Direction, Extent, Format, Library, Returns};

/// What a call means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Model {
    /// An input of the program.
    Nondet,
    /// An input that is 0 or 1.
    NondetBool,
    /// Fills memory with inputs: pointer, size.
    NondetMemory,
    /// The path goes on only where the argument is not zero.
    Assume,
    /// A violated assertion where the argument is zero.
    Assert,
    /// A violated assertion.
    Error,
    /// Whether so many bytes from a pointer on are there: pointer, size.
    Accessible {
        write: bool,
    },
    /// A function of a verifier's that is not known, or known and not modelled.
    Intrinsic,
    /// Ends the program.
    Halt,
    /// Ends the program where the first argument is not zero.
    HaltUnlessZero,
    /// `malloc(size)`.
    Allocate,
    /// `calloc(count, size)`: null where the product wraps.
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
    /// No effect, result zero.
    Zero,
    /// No effect on a program of one thread, result zero.
    Lock,
    /// Any value, for models in C: nobody may choose it.
    Any,
    /// Any value that the system gives, for models in C.
    Given,
    /// `__assay_read(pointer, size)`, for models in C: the bytes are read.
    Read,
    /// `fgets(buffer, size, file)`.
    ReadLine,
    /// `read(file, buffer, size)`.
    ReadBytes,
    /// `fread(buffer, size, count, file)`.
    ReadItems,
    Float(FloatFunction),
    /// A function on floats that is not computed: its bounds, and whether it is NaN only where an argument is no finite
    /// number.
    Enclosed {
        bounds: &'static str,
        total: bool,
    },
    /// Starts or joins a thread, or waits for one.
    Thread,
    /// An operation that concerns other threads.
    Concurrent(Concurrent),
    /// `setjmp` and `longjmp`.
    NonLocalJump,
    /// `signal(number, handler)`: a handler may run at any time.
    SignalHandler,
    /// `fesetround(mode)`.
    SetRounding,
    /// `fegetround()`.
    Rounding,
    Formatted(Format),
    Contract(Box<Contract>),
    /// Unknown effects: calls functions of the program, or writes memory in a way that is not modelled.
    Unmodelled,
}

/// The operations that the models of threads and locks are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Concurrent {
    Spawn,
    Join,
    Exit,
    Current,
    AtomicBegin,
    AtomicEnd,
    Acquire,
    TryAcquire,
    Release,
}

/// Functions on floats that the automaton computes exactly.
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
    /// To the nearest, halves to even.
    RoundEven,
    /// `rint`, `nearbyint`: as the rounding mode says.
    RoundByMode,
    /// `lround`: to an integer, halves away from zero.
    RoundToInteger,
    /// `lrint`: to an integer, as the rounding mode says.
    RoundByModeToInteger,
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
}

/// The models in C by the names that the table uses.
const SOURCES: &[(&str, &str)] = &[
    ("complex", include_str!("complex.c")),
    ("ctype", include_str!("ctype.c")),
    ("environment", include_str!("environment.c")),
    ("errno", include_str!("errno.c")),
    ("exit", include_str!("exit.c")),
    ("getopt", include_str!("getopt.c")),
    ("math", include_str!("math.c")),
    ("network", include_str!("network.c")),
    ("pthread", include_str!("pthread.c")),
    ("print", include_str!("print.c")),
    ("printed", include_str!("printed.c")),
    ("scan", include_str!("scan.c")),
    ("stdio", include_str!("stdio.c")),
    ("stdlib", include_str!("stdlib.c")),
    ("string", include_str!("string.c")),
    ("system", include_str!("system.c")),
    ("verifiers", include_str!("verifiers.c")),
    ("wchar", include_str!("wchar.c")),
];

/// The functions that start threads.
pub(crate) const STARTS_THREADS: [&str; 2] = ["pthread_create", "thrd_create"];

/// What every file of models begins with.
pub(crate) const PRELUDE: &str = include_str!("prelude.c");

/// The text of a file of models.
pub(crate) fn source(file: &str) -> Option<&'static str> {
    SOURCES.iter().find(|(name, _)| *name == file).map(|(_, text)| *text)
}

/// The prefixes of the names that belong to verifiers.
const PREFIXES: &[&str] =
    &["__VERIFIER_", "__CPROVER_", "__ESBMC_", "__SMACK_", "__SEAHORN_", "__SEA_", "sea_", "Frama_C_", "klee_", "__KANI_", "kani_"];

/// Functions that only look at the state of an analysis: nothing happens.
const SHOWING: &[&str] = &["Frama_C_show_each", "Frama_C_dump_each", "Frama_C_domain_show_each"];

/// Error functions, which the property names or not.
const ERROR_FUNCTIONS: &[&str] = &["__VERIFIER_error"];

/// Whether a name belongs to a verifier.
pub(crate) fn is_intrinsic(name: &str) -> bool {
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// The model of a function that verifiers know by a family of names, or that models in C use.
pub(crate) fn verifier_function(name: &str) -> Option<Model> {
    Some(match name {
        "__VERIFIER_nondet_bool" | "__VERIFIER_nondet__Bool" | "__SMACK_nondet_bool" | "__assay_input_bool" => Model::NondetBool,
        "__VERIFIER_nondet_memory" | "__assay_input_memory" => Model::NondetMemory,
        "__VERIFIER_assume" => Model::Assume,
        "__assay_any_double" | "__assay_any_int" | "__assay_any_long" | "__assay_any_pointer" => Model::Any,
        "__assay_given_int" | "__assay_given_long" | "__assay_given_pointer" => Model::Given,
        "__assay_input_size" | "__assay_input_long_long" | "__assay_input_double" => Model::Nondet,
        "__assay_spawn" => Model::Concurrent(Concurrent::Spawn),
        "__assay_join" => Model::Concurrent(Concurrent::Join),
        "__assay_thread_exit" => Model::Concurrent(Concurrent::Exit),
        "__assay_current_thread" => Model::Concurrent(Concurrent::Current),
        "__assay_atomic_begin" => Model::Concurrent(Concurrent::AtomicBegin),
        "__assay_atomic_end" => Model::Concurrent(Concurrent::AtomicEnd),
        "__assay_acquire" => Model::Concurrent(Concurrent::Acquire),
        "__assay_try_acquire" => Model::Concurrent(Concurrent::TryAcquire),
        "__assay_release" => Model::Concurrent(Concurrent::Release),
        "__assay_read" => Model::Read,
        "__assay_readable" => Model::Accessible { write: false },
        "__assay_unknown_effects" => Model::Unmodelled,
        _ if ["__VERIFIER_nondet", "__SMACK_nondet", "__ESBMC_nondet", "__CPROVER_nondet"].iter().any(|p| name.starts_with(p)) => {
            Model::Nondet
        }
        _ => return None,
    })
}

/// The model of a function of a verifier's that is in no table: inputs by their type, what only shows something, and
/// what is not known. `ruled` by a competition, only names with a prefix are a verifier's.
pub(crate) fn other_intrinsic(name: &str, ruled: bool) -> Option<Model> {
    if SHOWING.iter().any(|prefix| name.starts_with(prefix)) {
        return Some(Model::Zero);
    }
    if !ruled && let Some(ty) = ["nondet_", "sea_nd_", "nd_"].iter().find_map(|prefix| name.strip_prefix(prefix)) {
        return Some(if matches!(ty, "bool" | "_Bool") { Model::NondetBool } else { Model::Nondet });
    }
    (!ruled && is_intrinsic(name) && !ERROR_FUNCTIONS.contains(&name)).then_some(Model::Intrinsic)
}
