//! States of induction: symbolic states, and the loops and recursive functions that the path is in.

use super::candidates::Failure;
use crate::value::ValueState;
use assay_base::Id;
use assay_base::hash::mix;
use assay_cfa::structure::LoopId;
use assay_cfa::{FunctionId, VarId};
use assay_cpa::StackId;
use assay_semantics::state::Value;
use assay_term::Term;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Phase {
    /// The first iterations of the loop, as they are.
    Base,
    /// Any iteration, and those after it.
    Step,
}

/// A loop that the path is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Context {
    pub id: LoopId,
    /// The frame that runs the loop.
    pub stack: StackId,
    pub phase: Phase,
    /// How many iterations are complete.
    pub round: u32,
    /// The values that terms over registers had where the loop was entered.
    pub entry: Arc<[(Term, Value)]>,
}

impl Context {
    /// Whether the path is in one of the iterations that are taken to be free of violations.
    pub(super) fn ignores(&self, depth: u32) -> bool {
        self.phase == Phase::Step && self.round < depth
    }

    pub(super) fn entry_value(&self, term: Term) -> Value {
        self.entry.iter().find(|(known, _)| *known == term).map_or(Value::Unknown, |(_, value)| *value)
    }
}

impl std::fmt::Display for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.phase {
            Phase::Base => write!(f, "round {}", self.round),
            Phase::Step => write!(f, "any round and {} more", self.round),
        }
    }
}

/// A recursive function that the path has entered in any of its activations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Activation {
    pub function: FunctionId,
    /// The values of its parameters.
    pub entry: Arc<[(VarId, Value)]>,
}

/// Where a path is: in some loops, the outermost first, and in some activations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Surroundings {
    pub contexts: Vec<Context>,
    pub activations: Vec<Activation>,
    /// The candidates for invariants that do not hold here. A state that has some is the end of its path.
    pub failed: Vec<Failure>,
}

impl Surroundings {
    /// Whether violations are taken not to happen here.
    pub(super) fn ignores(&self, depth: u32) -> bool {
        self.contexts.iter().any(|context| context.ignores(depth))
    }
}

/// A symbolic state and where its path is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InductionState {
    /// What symbolic execution knows.
    pub values: ValueState,
    pub(super) surroundings: Arc<Surroundings>,
}

impl InductionState {
    pub(super) fn new(values: ValueState, surroundings: Surroundings) -> Self {
        InductionState { values, surroundings: Arc::new(surroundings) }
    }

    pub(super) fn partition(&self) -> u64 {
        let loops = self.surroundings.contexts.iter().fold(0, |hash, context| {
            let word = u64::from(context.id.0) << 34 | u64::from(context.round) << 1 | u64::from(context.phase == Phase::Step);
            mix(hash ^ mix(word) ^ u64::from(context.stack.0).rotate_left(17))
        });
        self.surroundings.activations.iter().fold(loops, |hash, activation| mix(hash ^ activation.function.index() as u64))
    }
}
