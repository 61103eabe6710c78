//! Weakening a state to what holds whatever a piece of the program did: what loop abstraction needs.

use super::transfer::ValueSemantics;
use super::{ValueDomain, ValueState, ValueWorker};
use assay_cfa::{EdgeId, LocationId, VarId};
use assay_semantics::state::{Executor, FreshOrigin, ObjectName, Semantics, Value};
use assay_smt::{Answer, Model};
use assay_term::Term;

impl ValueDomain<'_> {
    /// Gives a register of the frame on top any value; the symbol that stands for it, unless nothing reads the register
    /// after the edge.
    pub fn forget_register_for(&self, state: &mut ValueState, variable: VarId, edge: EdgeId) -> Option<Term> {
        if self.liveness.dead_after(edge).binary_search(&variable).is_ok() {
            state.values.set(self.program, variable, Value::Unknown);
            return None;
        }
        self.forget_register(state, variable, edge)
    }

    /// Gives a register of the frame on top, or a global one, any value.
    pub fn forget_register(&self, state: &mut ValueState, variable: VarId, edge: EdgeId) -> Option<Term> {
        let width = self.program.variables[variable].register_width()?;
        let mut semantics = ValueSemantics { symbolic: self.options.symbolic, log: None };
        let origin = FreshOrigin::Approximation { edge: Some(edge) };
        let value = semantics.fresh(&self.terms, &mut state.values, width, origin);
        state.values.set(self.program, variable, value);
        match value {
            Value::Term(term) => Some(term),
            _ => None,
        }
    }

    /// Forgets the content of a variable that lives in memory, in every frame that has it.
    pub fn forget_variable(&self, state: &mut ValueState, variable: VarId) {
        self.forget_objects(state, |name| name == ObjectName::Variable(variable));
    }

    /// Forgets the content of the heap, and of the variables in memory that the filter selects.
    pub fn forget_memory(&self, state: &mut ValueState, selected: impl Fn(VarId) -> bool) {
        self.forget_objects(state, |name| match name {
            ObjectName::Variable(variable) => selected(variable),
            _ => true,
        });
    }

    fn forget_objects(&self, state: &mut ValueState, selected: impl Fn(ObjectName) -> bool) {
        let mut found = Vec::new();
        state.values.for_each_object(|id, object| {
            if selected(object.name) {
                found.push(id);
            }
        });
        let machine = Executor::new(self.program, &self.terms);
        for id in found {
            machine.forget_object(&mut state.values, id);
            machine.unwrite_object(&mut state.values, id);
        }
    }

    /// The state where the condition (width 1, over the state's symbols) holds; `None` where it cannot.
    pub fn assume(
        &self,
        worker: &mut ValueWorker,
        state: ValueState,
        condition: Term,
        origin: EdgeId,
        at: LocationId,
    ) -> Option<ValueState> {
        self.constrain(worker, state, condition, origin, at)
    }

    /// Whether the condition (width 1, over the state's symbols) holds wherever the path's constraints do.
    pub fn implication(&self, worker: &mut ValueWorker, state: &ValueState, condition: Term) -> Implication {
        state.constraints.terms_into(&mut worker.scratch);
        let mut facts = std::mem::take(&mut worker.scratch);
        facts.push(self.terms.not(condition));
        let answer = worker.solver.check(&self.terms, &facts, &self.budget());
        worker.scratch = facts;
        match answer {
            Answer::Unsat(_) => Implication::Holds,
            Answer::Sat(model) => Implication::Fails(model),
            Answer::Unknown(_) => Implication::Unknown,
        }
    }
}

/// Whether a state implies a condition.
pub enum Implication {
    /// It does.
    Holds,
    /// It does not: the path is feasible with these values, and the condition false.
    Fails(Model),
    /// The solver does not know.
    Unknown,
}
