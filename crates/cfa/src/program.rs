//! The program as plain data: functions, locations, edges and variables.

use crate::operation::{Operation, ValueSource};
use crate::property::{Questions, Target};
use crate::types::{CType, DataModel};
use assay_base::{Assumption, Id, IdVec, SourceMap, Span, id_type};
use assay_term::{Frozen, SymbolId, Term};
use std::sync::Arc;

id_type! {
    /// A location; locations of all functions share one numbering.
    pub struct LocationId("L");
    /// An edge; edges of all functions share one numbering.
    pub struct EdgeId("E");
    /// A function with a body.
    pub struct FunctionId("F");
    /// A variable: a register or a memory object. The symbol of variable `i` is symbol `i` of the program's terms.
    pub struct VarId("v");
    /// Where an unconstrained value comes from.
    pub struct SourceId("n");
}

impl VarId {
    /// The variable's symbol in terms.
    pub fn symbol(self) -> SymbolId {
        SymbolId(self.0)
    }
}

/// A whole program. Edges and locations of all functions share one numbering.
#[derive(Clone, Debug)]
pub struct Program {
    /// Every expression of the program; runs put overlays on it.
    pub terms: Arc<Frozen>,
    /// What spans lead to.
    pub sources: SourceMap,
    /// The widths of C's types.
    pub model: DataModel,
    /// Registers and objects, global and local.
    pub variables: IdVec<VarId, Variable>,
    /// Those with a body, the models of library functions that are called among them.
    pub functions: IdVec<FunctionId, Function>,
    /// Control is at one of them in each frame.
    pub locations: IdVec<LocationId, Location>,
    /// What leads from one location to another.
    pub edges: IdVec<EdgeId, Edge>,
    /// Where unconstrained values come from.
    pub value_sources: IdVec<SourceId, ValueSource>,
    /// Where execution begins; its frame is the only one then, and its exit ends the program.
    pub entry: FunctionId,
    /// The registers and objects that live as long as the program, in the order of their slots.
    pub globals: Vec<VarId>,
    /// What the front end approximated or assumed.
    pub assumptions: Vec<Assumption>,
    /// What the source looked like.
    pub syntax: SyntaxCounts,
    /// What the front end leaves for the pass that puts properties on the program, and that takes it.
    pub marks: Marks,
    /// What the source mentions and does not define, and no library either. The text form leaves it out.
    pub outside: Vec<Outside>,
    /// What is asked about the program.
    pub questions: Questions,
}

/// A function or variable that the source mentions and that is defined elsewhere: a harness must have it.
#[derive(Clone, PartialEq, Debug)]
pub struct Outside {
    /// In C.
    pub name: String,
    /// Of the variable, or of the function's result.
    pub ctype: CType,
    /// In bytes, of that type.
    pub size: u64,
    /// Whether it is a function.
    pub is_function: bool,
    /// Whether it is a function that a verifier gives.
    pub is_intrinsic: bool,
}

/// Places and objects that some property asks about and others do not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// Where functions without a body are called, and where labels are.
    pub places: Vec<Mark>,
    /// Objects that are defined elsewhere, with a size that their declarations do not say.
    pub elsewhere: Vec<VarId>,
    /// Globals of which each thread has its own.
    pub thread_local: Vec<VarId>,
    /// Paths from one location to another on which memory is only read to see whether it can be.
    pub reads: Vec<(LocationId, LocationId)>,
}

/// A place that a property may name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// What is there.
    pub kind: MarkKind,
    /// Of the function or the label.
    pub name: String,
    /// The caller that comes here makes the call, or is at the label.
    pub location: LocationId,
    /// The place in the source.
    pub span: Span,
    /// What the edge to the target will be in the source.
    pub origin: Origin,
}

/// What a property can name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MarkKind {
    /// A call of a function without a body.
    Call,
    /// A label of the source.
    Label,
}

/// How often the source uses constructs that the automaton no longer shows; features for choosing an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SyntaxCounts {
    /// `while`.
    pub while_loops: u32,
    /// `for`.
    pub for_loops: u32,
    /// `do`.
    pub do_loops: u32,
    /// `goto`.
    pub gotos: u32,
    /// `switch`.
    pub switches: u32,
    /// `asm`.
    pub inline_assembly: u32,
    /// Uses of thread functions (`pthread_create` and the like).
    pub threads: u32,
}

/// A register or memory object.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Unique and stable under changes elsewhere: `g`, `main::x`, `main::x#2`, `main::$3` for a temporary.
    pub name: String,
    /// The name in the source, empty for temporaries.
    pub source_name: String,
    /// Whose it is.
    pub scope: Scope,
    /// What it is in the source.
    pub role: Role,
    /// A register, or an object in memory.
    pub storage: Storage,
    /// For printing values.
    pub ctype: CType,
    /// The position in `Program::globals` or in its function's `Function::locals`.
    pub slot: u32,
    /// For globals: the content at the start, (byte offset, value); a value is a constant, or an address plus a
    /// constant. What no entry covers is zero. A register has at most one entry, at offset 0.
    pub initial: Vec<(u64, Term)>,
    /// Something outside of the program may know the object's address, so that a pointer that comes from there may lead
    /// to it.
    pub exposed: bool,
    /// Where it is declared.
    pub span: Span,
}

impl Variable {
    /// The width of a register.
    pub fn register_width(&self) -> Option<u32> {
        match self.storage {
            Storage::Register { width } => Some(width),
            Storage::Memory { .. } => None,
        }
    }
    /// Whether it lives as long as the program.
    pub fn is_global(&self) -> bool {
        self.scope == Scope::Global
    }
}

/// How long a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// As long as the program.
    Global,
    /// As long as a frame of the function.
    Local(FunctionId),
}

/// What a variable is in the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// A variable of the source.
    Source,
    /// The n-th parameter.
    Parameter(u32),
    /// The result register of its function.
    Result,
    /// Made by the lowering.
    Temporary,
    /// A constant object.
    StringLiteral,
}

/// Where a variable is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// Address never taken, never accessed as bytes: a plain value.
    Register {
        /// In bits.
        width: u32,
    },
    /// An object of this many bytes; `size` is `None` where `Declare` gives it (variable-length arrays). `constant`
    /// objects (string literals) are never written.
    Memory {
        /// In bytes.
        size: Option<u64>,
        /// In bytes.
        align: u32,
        /// Whether writing is undefined.
        constant: bool,
    },
}

/// A function with a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The name in C; unique in the program.
    pub name: String,
    /// The symbol whose `Address` is the function pointer.
    pub symbol: SymbolId,
    /// Where control is when it is called.
    pub entry: LocationId,
    /// The one location where every return ends. It has no outgoing edges.
    pub exit: LocationId,
    /// Registers that take the arguments.
    pub parameters: Vec<VarId>,
    /// The register with the returned value.
    pub result: Option<VarId>,
    /// All variables of the frame, parameters and result included, in the order of their slots.
    pub locals: Vec<VarId>,
    /// Where it is defined.
    pub span: Span,
}

/// A control location: a node of the automaton.
#[derive(Clone, Debug, PartialEq)]
pub struct Location {
    /// The function that it belongs to.
    pub function: FunctionId,
    /// Outgoing edges; several only where conditions choose between them.
    pub outgoing: Vec<EdgeId>,
    /// Incoming edges, those of calls and returns left out.
    pub incoming: Vec<EdgeId>,
    /// Reaching it violates the property.
    pub target: Option<Target>,
}

/// A control-flow edge between two locations of one function, with its operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Where it begins.
    pub source: LocationId,
    /// For a call: where control goes on after the return.
    pub target: LocationId,
    /// What happens along the path.
    pub operation: Operation,
    /// The statement or expression it comes from.
    pub span: Span,
    /// What it is in the source.
    pub origin: Origin,
}

/// What an edge is in the source: what witnesses and annotated paths need to know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// Made by the lowering, or in the middle of an expression.
    Internal,
    /// The first edge of a statement or declaration; the span is its first character.
    Statement,
    /// One path of a branch; `keyword` is the place of `if`, `while`, `for`, `switch` or `?`.
    Branch {
        /// Whether the condition holds on it.
        taken: bool,
        /// The place of the keyword.
        keyword: Span,
        /// Whether it is the condition of a loop.
        looping: bool,
    },
    /// A case of a `switch`.
    Case {
        /// The place of `switch`.
        keyword: Span,
    },
    /// A call; `close` is the place of its closing parenthesis.
    Call {
        /// The place of the closing parenthesis.
        close: Span,
    },
    /// A check of an operation on two numbers of the program; of one, the first is 0.
    Operation {
        /// Which operation.
        sign: Sign,
        /// Its first operand.
        left: Term,
        /// Its second operand.
        right: Term,
    },
    /// A use of a value of the program: a test whether it was ever written, or a value that is given to something.
    Use {
        /// What is used.
        value: Term,
    },
}

/// An operation that can go wrong, as C writes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// `+`
    Plus,
    /// `-` of two operands.
    Minus,
    /// `*`
    Times,
    /// `/`
    Divided,
    /// `%`
    Remainder,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// Of one operand.
    Negated,
}

impl Sign {
    /// Every sign once.
    pub const ALL: [Sign; 8] =
        [Sign::Plus, Sign::Minus, Sign::Times, Sign::Divided, Sign::Remainder, Sign::ShiftLeft, Sign::ShiftRight, Sign::Negated];

    /// As C writes it.
    pub const fn symbol(self) -> &'static str {
        match self {
            Sign::Plus => "+",
            Sign::Minus | Sign::Negated => "-",
            Sign::Times => "*",
            Sign::Divided => "/",
            Sign::Remainder => "%",
            Sign::ShiftLeft => "<<",
            Sign::ShiftRight => ">>",
        }
    }

    /// As the text form of automata writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Sign::Plus => "plus",
            Sign::Minus => "minus",
            Sign::Times => "times",
            Sign::Divided => "divided",
            Sign::Remainder => "remainder",
            Sign::ShiftLeft => "shift-left",
            Sign::ShiftRight => "shift-right",
            Sign::Negated => "negated",
        }
    }
}

impl Program {
    /// The function with this name.
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter_ids().find(|(_, f)| f.name == name).map(|(id, _)| id)
    }
    /// The variable of a symbol, if it is one's.
    #[inline]
    pub fn variable_of(&self, symbol: SymbolId) -> Option<VarId> {
        (symbol.index() < self.variables.len()).then_some(VarId(symbol.0))
    }
    /// The function of a symbol, if it is one's.
    pub fn function_of(&self, symbol: SymbolId) -> Option<FunctionId> {
        let first = self.variables.len();
        let index = symbol.index().checked_sub(first)?;
        (index < self.functions.len()).then(|| FunctionId::from_index(index))
    }
    /// What is not modelled at an edge, with its place.
    pub fn unsupported_at(&self, edge: EdgeId) -> String {
        let edge = &self.edges[edge];
        match &edge.operation {
            Operation::Unsupported { what } => format!("{what} at {}", self.sources.describe(edge.span)),
            _ => "an unsupported construct".to_string(),
        }
    }
    /// The locations that violate what is asked, in order.
    pub fn targets(&self) -> impl Iterator<Item = (LocationId, Target)> {
        self.locations.iter_ids().filter_map(|(id, l)| Some((id, l.target?)))
    }
}
