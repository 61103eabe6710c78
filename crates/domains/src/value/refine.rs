//! What refinement needs: strongest post-conditions, forgetting one thing at a time, and tracking what was found.

use super::precision::{for_each_register, forget_register, is_forgettable_object};
use super::{Unit, ValueDomain, ValuePrecision, ValueState, ValueWorker};
use assay_cfa::{LocationId, Storage};
use assay_cpa::{Forget, Move, PrecisionScope, Refinable, StrongestPost};

impl StrongestPost for ValueDomain<'_> {
    fn post(&self, worker: &mut ValueWorker, state: &ValueState, step: &Move<'_>) -> Option<ValueState> {
        self.successor(worker, state, None, step)
    }
}

impl Forget for ValueDomain<'_> {
    type Item = Unit;

    fn remembered(&self, state: &ValueState, out: &mut Vec<Unit>) {
        let start = out.len();
        for_each_register(self.program, &state.values, |variable, value| {
            if self.is_forgettable(value) && matches!(self.program.variables[variable].storage, Storage::Register { .. }) {
                out.push(Unit::Register(variable));
            }
        });
        state.values.for_each_object(|_, object| {
            if !is_forgettable_object(object) {
                return;
            }
            object.for_each_cell(|cell| {
                if self.is_forgettable(cell.value) {
                    out.push(Unit::Cell(object.name, cell.offset));
                }
            });
        });
        out.extend(state.constraints.iter().map(|c| Unit::Constraint(c.origin)));
        out[start..].sort();
        let mut kept = start;
        for index in start..out.len() {
            if kept == start || out[kept - 1] != out[index] {
                out.swap(kept, index);
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    fn forget(&self, _: &mut ValueWorker, state: &mut ValueState, item: &Unit) {
        match item {
            Unit::Register(variable) => forget_register(self.program, &mut state.values, *variable),
            Unit::Cell(name, offset) => {
                let mut found = Vec::new();
                state.values.for_each_object(|id, object| {
                    if object.name == *name
                        && let Some(cell) = object.cell_at(*offset)
                    {
                        found.push((id, cell));
                    }
                });
                for (id, cell) in found {
                    state.values.forget_cell(id, &cell);
                }
            }
            // Only in precisions.
            Unit::ConstraintsAt(_) | Unit::ConstraintsOver(_) => {}
            Unit::Constraint(edge) => {
                state.constraints = state.constraints.filtered(|c| c.origin != *edge);
            }
        }
    }
}

impl Refinable for ValueDomain<'_> {
    fn track(&self, precision: &mut ValuePrecision, at: LocationId, scope: PrecisionScope, item: &Unit) -> bool {
        match item {
            // A constraint is added at its own edge or not at all.
            Unit::Constraint(edge) => {
                let source = self.program.edges[*edge].source;
                let units = self.constraint_units(*edge, at);
                units.iter().fold(false, |new, unit| precision.track(self.program, source, PrecisionScope::Global, unit) | new)
            }
            _ => precision.track(self.program, at, scope, item),
        }
    }

    fn everything(&self, precision: &ValuePrecision) -> Option<ValuePrecision> {
        (!precision.everything).then(ValuePrecision::everything)
    }
}
