//! A violation as plain data: the path through the automaton, the values on it and the inputs that lead there.

use assay_base::Span;
use assay_cfa::{EdgeId, SourceId, Target, VarId};
use assay_term::Bits;

/// An execution that violates the property, from the entry of the program to the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    pub path: Vec<PathStep>,
    /// All chosen values, in the order in which the execution asks for them.
    pub inputs: Vec<InputValue>,
    pub target: Target,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathStep {
    pub step: Step,
    /// The registers that this step assigned, with their new values.
    pub values: Vec<(VarId, Bits)>,
    /// What this step wrote to memory, and pointers that it assigned: place and value as people write them.
    pub notes: Vec<(String, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The edge is taken; for a call, the callee is entered.
    Edge(EdgeId),
    /// The callee of this call edge returns.
    Return(EdgeId),
}

impl Step {
    pub fn edge(self) -> EdgeId {
        match self {
            Step::Edge(edge) | Step::Return(edge) => edge,
        }
    }
}

/// One value that the execution may choose: the result of a nondeterministic or body-less function, or the content of
/// uninitialised memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputValue {
    pub origin: InputOrigin,
    pub bits: Bits,
    /// Where the value is asked for.
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InputOrigin {
    Source(SourceId),
    /// Memory that was never written; `birth` counts the objects made on the path, from 1, and globals have 0.
    Memory {
        birth: u32,
        offset: u64,
    },
}
