//! Abstract states: the program's state and the constraints of the path.

use super::constraints::Constraints;
use assay_semantics::state::State;
use assay_smt::Model;

/// Values, and the conditions under which they are reached.
#[derive(Clone, Debug)]
pub struct ValueState {
    /// Registers, frames and objects.
    pub values: State,
    /// What the path demands of symbols; empty without symbolic values.
    pub constraints: Constraints,
    /// A model of the constraints, where one is known: tried on new constraints before a solver is asked.
    pub model: Option<Model>,
}

impl PartialEq for ValueState {
    fn eq(&self, other: &Self) -> bool {
        self.constraints == other.constraints && self.values == other.values
    }
}
impl Eq for ValueState {}
