//! Operations on edges. Every expression is a pure term over registers and addresses; memory is read and written
//! by operations of their own.

use crate::program::{FunctionId, SourceId, VarId};
use crate::thread::ThreadOperation;
use assay_base::Span;
use assay_term::Term;

/// The operation on an edge: what taking it does to the state of the program.
#[derive(Clone, PartialEq, Debug)]
pub enum Operation {
    /// Nothing.
    Skip,
    /// The path goes on only where the condition (width 1) holds.
    Assume {
        /// A truth value.
        condition: Term,
    },
    /// A register takes a value.
    Assign {
        /// A register.
        target: VarId,
        /// As wide as the register.
        value: Term,
    },
    /// The register takes any value.
    Havoc {
        /// A register.
        target: VarId,
        /// Who chooses the value.
        source: SourceId,
    },
    /// Reads as many bytes as the register is wide (a register of width 1 is never loaded; `_Bool` has 8 bits in
    /// memory).
    Load {
        /// A register.
        target: VarId,
        /// Of pointer width.
        address: Term,
    },
    /// Writes the value, whose width is a multiple of 8, little-endian.
    Store {
        /// Of pointer width.
        address: Term,
        /// What is written.
        value: Term,
    },
    /// Copies `size` bytes; the ranges may overlap (`memmove`). Operands have pointer width.
    Copy {
        /// The first byte that is written.
        destination: Term,
        /// The first byte that is read.
        source: Term,
        /// In bytes.
        size: Term,
    },
    /// Sets `size` bytes to the byte (width 8).
    Fill {
        /// The first byte that is written.
        destination: Term,
        /// What all of them become.
        byte: Term,
        /// In bytes.
        size: Term,
    },
    /// The `size` bytes take any values.
    HavocMemory {
        /// The first byte.
        address: Term,
        /// In bytes, of pointer width.
        size: Term,
        /// Who chooses the values.
        source: SourceId,
    },
    /// The register (of pointer width) becomes the address of a new object of `size` bytes; never null.
    Allocate {
        /// Takes the address.
        target: VarId,
        /// In bytes, of pointer width.
        size: Term,
        /// When the object ends.
        zone: Zone,
        /// Whether its bytes are zero at first; otherwise they are unknown.
        zeroed: bool,
    },
    /// Ends the life of the heap object that starts at the address; nothing for the null pointer.
    Free {
        /// Of pointer width.
        address: Term,
    },
    /// The life of a memory local begins, with unknown content. `size` (pointer width) only for variable-length arrays.
    /// Declaring an object that is alive makes a fresh one in its place.
    Declare {
        /// A local that is in memory.
        object: VarId,
        /// In bytes, where the declaration alone does not say it.
        size: Option<Term>,
    },
    /// The life of a memory local ends before its frame does.
    EndLife {
        /// A local that is in memory.
        object: VarId,
    },
    /// Enters `callee` with a new frame; at its exit the frame is dropped, `result` takes the callee's result register,
    /// and control goes on at the edge's end. A callee of fewer parameters ignores surplus arguments.
    Call {
        /// Has a body.
        callee: FunctionId,
        /// In the order of the callee's parameters.
        arguments: Vec<Term>,
        /// A register of the caller, if anybody takes the result.
        result: Option<VarId>,
    },
    /// Where `fails` (width 1) holds the program's behaviour is undefined. Analyses pass through (the lowering makes
    /// what follows unconstrained in that case); the interpreter stops here; a property pass may turn it into a target.
    Check {
        /// What would go wrong.
        kind: CheckKind,
        /// A truth value.
        fails: Term,
    },
    /// The path goes on only where the condition on memory has this truth value.
    AssumeMemory {
        /// What is asked of memory.
        condition: MemoryCondition,
        /// Whether it must hold or must not.
        holds: bool,
    },
    /// What concerns other threads; analyses never meet it.
    Thread(ThreadOperation),
    /// A construct that is not modelled. A run that reaches it can end in neither verdict beyond it: analyses treat it
    /// as an unresolved target.
    Unsupported {
        /// The construct, for the user.
        what: String,
    },
}

/// Where allocated memory lives: heap objects must be freed, stack objects (`alloca`) end with their frame, those of
/// the library stay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Zone {
    /// Until it is freed.
    Heap,
    /// Until the function returns.
    Stack,
    /// As long as the stack's, and the caller that started the program has written it: `argv` and its texts.
    Given,
    /// As long as the program: what the library made for itself and hands out, such as a stream or a text. It is
    /// written; the program may not free it and need not.
    Library,
}

/// Kinds of undefined behaviour that the lowering marks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum CheckKind {
    /// A signed operation whose result does not fit. Defined as wrap for every property but `no-overflow`.
    SignedOverflow,
    /// Of integers; floats have a result.
    DivisionByZero,
    /// The smallest number divided by -1: other overflows wrap, and here machines trap.
    DivisionOverflow,
    /// A shift by a negative amount or by at least the width.
    ShiftRange,
    /// A float out of the integer's range.
    FloatToInteger,
    /// A call through a pointer that is the address of no function. A violation of `valid-deref`.
    CallTarget,
    /// Never fails: the value of the edge's origin is given to something who looks at it, as what is printed.
    Given,
    /// Reaching `__builtin_unreachable`.
    Unreachable,
    /// The leading or trailing zeros of 0.
    BitCountOfZero,
    /// A variable-length array of no or of too many elements.
    ArraySize,
    /// A negative number is shifted to the left.
    ShiftOfNegative,
    /// An index beyond an array that is a part of an object.
    ElementIndex,
    /// An access through a pointer that is not aligned for its type.
    Misaligned,
    /// A variable is changed and used without an order between the two.
    Unsequenced,
    /// Finite floats give an infinite result.
    FloatOverflow,
    /// Floats that are numbers give a result that is none.
    NotANumber,
    /// An unsigned operation wraps around.
    UnsignedWrap,
    /// An implicit conversion changes the value of an integer.
    LossyConversion,
    /// A result that tells of a failure is not looked at.
    IgnoredResult,
    /// A call in a way that no machine gives a meaning, and the like.
    Other,
}

impl CheckKind {
    /// Whether the program goes on as machines do where it fails: then it is as if it were not there, unless it is
    /// asked for.
    pub fn goes_on(self) -> bool {
        use CheckKind::{
            CallTarget, DivisionByZero, DivisionOverflow, FloatToInteger, Given, Other, ShiftRange, SignedOverflow, Unreachable,
        };
        !matches!(
            self,
            SignedOverflow | DivisionByZero | DivisionOverflow | ShiftRange | FloatToInteger | CallTarget | Given | Unreachable | Other
        )
    }
}

/// Conditions on memory that no term can express.
#[derive(Clone, PartialEq, Debug)]
pub enum MemoryCondition {
    /// All `size` bytes (pointer width) from the address lie in one live object, and in one that may be written if
    /// `write` is set.
    Accessible {
        /// Of pointer width.
        address: Term,
        /// In bytes.
        size: Term,
        /// Whether it is to be written.
        write: bool,
    },
    /// The address is null or the start of a live heap object.
    Freeable {
        /// Of pointer width.
        address: Term,
    },
    /// All `size` bytes (pointer width) from the address were written since their object was made.
    Initialised {
        /// Of pointer width.
        address: Term,
        /// In bytes.
        size: Term,
    },
    /// Every live heap object can still be reached from the variables.
    AllReachable,
    /// No heap object is alive.
    NothingAllocated,
}

/// Where an unconstrained value comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueSource {
    /// How free the choice is.
    pub kind: ValueSourceKind,
    /// The function or variable it is named after.
    pub name: String,
    /// Where the value is asked for.
    pub span: Span,
}

/// Who chooses an unconstrained value, and what that means for a counterexample that depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum ValueSourceKind {
    /// A call of `__VERIFIER_nondet_X`: an input of the program.
    Input,
    /// An uninitialised variable.
    Uninitialised,
    /// Bits that C leaves open in a value that is there: the sign and payload of a NaN.
    Payload,
    /// The result of a function without a body.
    External,
    /// As `External`, and an address may be in it: another caller made what it leads to. Where memory is in question
    /// nothing knows how large that is, so it then counts as an approximation; `passes::property` puts one of the two
    /// in its place.
    Foreign,
    /// What the system or the library gives: chosen like the result of a function without a body, but no harness can
    /// stand in for it.
    System,
    /// As `System`, and an address may be in it, as in `Foreign`.
    SystemForeign,
    /// Of memory only: the bytes keep their values, but count as never written. Made by `passes::property` for values
    /// that were not.
    Unwritten,
    /// What the command line gives ([`crate::arguments`]): chosen like an input, and passed to the program by the
    /// caller that starts it.
    Argument,
    /// An over-approximation of ours: a violation whose outcome depends on it is not believed.
    Approximation,
}

impl ValueSourceKind {
    /// Whether a replay may choose the value.
    pub fn is_choosable(self) -> bool {
        self != ValueSourceKind::Approximation
    }
}

/// Gives every term of an operation to `$visit`, by shared or by mutable reference as the operation is: the one place
/// that knows where an operation keeps its terms.
macro_rules! each_term {
    ($operation:expr, $visit:expr) => {
        match $operation {
            Operation::Skip
            | Operation::Havoc { .. }
            | Operation::EndLife { .. }
            | Operation::Unsupported { .. }
            | Operation::Thread(_)
            | Operation::Declare { size: None, .. } => {}
            Operation::Assume { condition: a }
            | Operation::Assign { value: a, .. }
            | Operation::Load { address: a, .. }
            | Operation::Allocate { size: a, .. }
            | Operation::Free { address: a }
            | Operation::Declare { size: Some(a), .. }
            | Operation::Check { fails: a, .. } => $visit(a),
            Operation::Store { address: a, value: b } | Operation::HavocMemory { address: a, size: b, .. } => {
                $visit(a);
                $visit(b);
            }
            Operation::Copy { destination: a, source: b, size: c } | Operation::Fill { destination: a, byte: b, size: c } => {
                $visit(a);
                $visit(b);
                $visit(c);
            }
            Operation::Call { arguments, .. } => {
                for argument in arguments {
                    $visit(argument);
                }
            }
            Operation::AssumeMemory { condition, .. } => match condition {
                MemoryCondition::Accessible { address, size, .. } | MemoryCondition::Initialised { address, size } => {
                    $visit(address);
                    $visit(size);
                }
                MemoryCondition::Freeable { address } => $visit(address),
                MemoryCondition::AllReachable | MemoryCondition::NothingAllocated => {}
            },
        }
    };
}

impl Operation {
    /// Calls `f` on every term of the operation and puts the result in its place.
    pub fn map_terms(&mut self, f: &mut dyn FnMut(Term) -> Term) {
        let mut put = |term: &mut Term| *term = f(*term);
        if let Operation::Thread(operation) = self {
            operation.terms_mut().into_iter().for_each(put);
            return;
        }
        each_term!(self, put);
    }

    /// The terms that the operation reads.
    pub fn terms(&self) -> Vec<Term> {
        if let Operation::Thread(operation) = self {
            return operation.terms();
        }
        let mut terms = Vec::new();
        each_term!(self, |term: &Term| terms.push(*term));
        terms
    }

    /// The register that the operation writes in the frame in which it runs (a call's result is written at the return).
    pub fn written_register(&self) -> Option<VarId> {
        match self {
            Operation::Assign { target, .. }
            | Operation::Havoc { target, .. }
            | Operation::Load { target, .. }
            | Operation::Allocate { target, .. } => Some(*target),
            Operation::Call { result, .. } => *result,
            Operation::Thread(operation) => operation.written_register(),
            _ => None,
        }
    }
}
