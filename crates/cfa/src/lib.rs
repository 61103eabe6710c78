//! The control-flow automaton: a program as locations and edges whose operations are over terms.
//!
//! The automaton never sees a syntax tree. Locals and globals whose address is never taken are plain registers
//! (symbols in terms); everything else is an object in memory that is reached through addresses.

pub mod arguments;
pub mod blocks;
pub mod builder;
pub mod checks;
pub mod classify;
pub mod export;
pub mod features;
pub mod operation;
pub mod portable;
pub mod program;
pub mod property;
mod step;
pub mod structure;
pub mod text;
pub mod thread;
pub mod types;
pub mod verifier;

pub use builder::Builder;
pub use operation::{CheckKind, MemoryCondition, Operation, ValueSource, ValueSourceKind, Zone};
pub use program::{
    Edge, EdgeId, Function, FunctionId, Location, LocationId, Mark, MarkKind, Marks, Origin, Outside, Program, Role, Scope, Sign, SourceId,
    Storage, SyntaxCounts, VarId, Variable,
};
pub use property::{Property, Questions, Target};
pub use step::Step;
pub use thread::ThreadOperation;
pub use types::{CType, DataModel, Member};
