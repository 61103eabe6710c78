//! A violation as plain data: the path through the automaton, the values on it and the inputs that lead there.

use assay_base::Span;
use assay_cfa::{Program, SourceId, Step, Target, VarId};
use assay_semantics::environment::{ENVIRONMENT_BIRTH, ExternalMemory};
use assay_term::Bits;

/// An execution that violates the property, from the entry of the program to the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The steps with what they did.
    pub path: Vec<PathStep>,
    /// All chosen values, in the order in which the execution asks for them.
    pub inputs: Vec<InputValue>,
    /// What is violated at the end.
    pub target: Target,
    /// What happened, in one sentence.
    pub what: String,
    /// Which threads took the steps; `None` where there is one thread.
    pub schedule: Option<Schedule>,
    /// How the path goes on for ever; `None` where it ends at its last step.
    pub lasso: Option<Lasso>,
}

impl Counterexample {
    /// An execution of one thread that ends with its last step.
    pub fn new(path: Vec<PathStep>, inputs: Vec<InputValue>, target: Target, what: String) -> Counterexample {
        Counterexample { path, inputs, target, what, schedule: None, lasso: None }
    }
}

/// The threads of an execution. They are numbered in the order in which they begin; the first one, 0, runs the entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// For each step of the path the thread that takes it.
    pub threads: Vec<u32>,
}

/// An execution that never ends: a stem and a loop after it that is taken for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// The position in the path at which the loop begins; it ends with the path, and its end leads to its beginning.
    pub start: usize,
    /// Why the loop can be taken again and again, in one sentence.
    pub why: String,
}

/// One step of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// An edge, or the return of a call.
    pub step: Step,
    /// The registers that this step assigned, with their new values.
    pub values: Vec<(VarId, Bits)>,
    /// What this step wrote to memory, and pointers that it assigned: place and value as people write them.
    pub notes: Vec<(String, String)>,
    /// How many rounds of a loop that go like the last one follow here and are not listed.
    pub passed_over: u64,
}

/// One value that the execution may choose: the result of a nondeterministic or body-less function, or the content of
/// uninitialised memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputValue {
    /// Who asked for it.
    pub origin: InputOrigin,
    /// What was chosen.
    pub bits: Bits,
    /// Where the value is asked for.
    pub span: Span,
}

impl InputValue {
    /// What was asked for its value, as people read it.
    pub fn name(&self, program: &Program) -> String {
        match self.origin {
            InputOrigin::Source(source) => program.value_sources.get(source).map_or(String::new(), |source| source.name.clone()),
            InputOrigin::Memory { offset, .. } => match self.environment_address(program) {
                Some(address) => format!("memory of the environment at {address:#x}"),
                None => format!("memory that the program did not write, from byte {offset}"),
            },
        }
    }

    /// The address of what is memory of the environment.
    pub fn environment_address(&self, program: &Program) -> Option<u64> {
        match self.origin {
            InputOrigin::Memory { birth: ENVIRONMENT_BIRTH, offset } => Some(ExternalMemory::of(program)?.base + offset),
            _ => None,
        }
    }
}

/// Who chooses a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InputOrigin {
    /// A source of the program.
    Source(SourceId),
    /// Memory that was never written; `birth` counts the objects made on the path, from 1, globals have 0, and the
    /// environment has [`ENVIRONMENT_BIRTH`].
    Memory {
        /// Of the object.
        birth: u32,
        /// In bytes.
        offset: u64,
    },
}
