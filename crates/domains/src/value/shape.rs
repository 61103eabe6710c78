//! Shape analysis: lists of any length are folded into chains at loop heads, and taken apart where a step looks into
//! them.
//!
//! Addresses and null pointers are tracked whatever the precision is; other values as in value analysis. States are
//! compared up to the numbers of their objects, with stretches of lists in place of chains.

use super::{ValueDomain, ValuePrecision, ValueState, ValueWorker};
use assay_cfa::{CType, Operation, Target, VarId};
use assay_cpa::{Mark, Move, Successors};
use assay_semantics::state::{Cell, Value};
use assay_term::{Op, Term};

/// With more objects on the heap than this, lists whose nodes differ are folded, too.
const MOST_OBJECTS: usize = 12;

impl ValueDomain<'_> {
    /// Whether a value is one that the shape of the heap is made of, so that no precision forgets it.
    pub(super) fn shapes_register(&self, variable: VarId) -> bool {
        self.options.shape && self.program.variables[variable].ctype == CType::Pointer
    }
    pub(super) fn shapes_cell(&self, cell: &Cell) -> bool {
        let width = self.program.model.pointer_width();
        self.options.shape && cell.width == width && cell.value == Value::number(width, 0)
    }

    /// The step from each state in which no pointer that it looks at leads to a chain.
    pub(super) fn transfer_chains(
        &self,
        worker: &mut ValueWorker,
        state: &ValueState,
        precision: &ValuePrecision,
        step: &Move<'_>,
        out: &mut Successors<ValueState>,
    ) {
        let width = self.program.model.pointer_width();
        let variables = self.looked_at(step);
        let mut work = vec![state.clone()];
        while let Some(state) = work.pop() {
            let values = variables.iter().map(|&variable| state.values.get(self.program, variable));
            if let Some(pointer) = values.into_iter().find(|value| value.object().is_some_and(|object| state.values.is_chain(object))) {
                let ValueState { values, constraints, model } = state;
                let opened = values.open_chain(pointer, width).into_iter();
                work.extend(opened.map(|values| ValueState { values, constraints: constraints.clone(), model: model.clone() }));
                continue;
            }
            if let Some(successor) = self.successor(worker, &state, Some(precision), step) {
                let broken = successor.values.has_broken_chain();
                let first = out.items.len();
                self.push_enumerated(worker, &state, successor, precision, step, out);
                if broken {
                    let reason = "a write of unknown target may have changed a list of unknown length";
                    out.items[first..].iter_mut().for_each(|item| item.mark = Some(Mark::Unresolved(reason.into())));
                }
            }
        }
    }

    /// The registers whose values a step does more with than to copy them.
    fn looked_at(&self, step: &Move<'_>) -> Vec<VarId> {
        if step.is_return() {
            return Vec::new();
        }
        let operation = &step.edge.operation;
        let is_copied = |term: Term| match operation {
            Operation::Assign { value, .. } | Operation::Store { value, .. } => *value == term,
            Operation::Call { .. } => true,
            _ => false,
        };
        let is_address = |term: Term| matches!(operation, Operation::Store { address, .. } if *address == term);
        let mut variables = Vec::new();
        for term in operation.terms() {
            if self.terms.node(term).op != Op::Symbol || !is_copied(term) || is_address(term) {
                variables.extend(self.terms.free_symbols(term).into_iter().filter_map(|symbol| self.program.variable_of(symbol)));
            }
        }
        variables
    }

    /// Folds the lists of a state. Lost objects go where nothing asks about them.
    pub(super) fn fold(&self, state: &mut ValueState) {
        let questions = &self.program.questions;
        if !questions.contains(Target::ValidMemtrack) && !questions.contains(Target::ValidMemcleanup) {
            state.values.drop_lost_objects();
        }
        state.values.fold_chains(MOST_OBJECTS, self.program.model.pointer_width());
    }
}
