//! The step of the domain: the program's own semantics, then constraints, liveness and precision.

use super::constraints::Constraint;
use super::{CoverageRule, ValueDomain, ValuePrecision, ValueState, ValueWorker};
use assay_base::{FastMap, Stats};
use assay_cfa::{Operation, VarId};
use assay_cpa::{Adjustment, Domain, Move, Position, Projection, Successors, View};
use assay_semantics::state::{Executor, FreshOrigin, ObjectId, Semantics, State, StepResult, Value};
use assay_smt::Solver;
use assay_term::{Bits, Sort, Term, Terms};

/// Where a symbol on a path comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathSymbol {
    /// The symbol.
    pub symbol: Term,
    /// Who asked for a value.
    pub origin: FreshOrigin,
}

/// The symbols made on a path, in order; what a model is turned into inputs with.
pub type PathSymbols = Vec<PathSymbol>;

/// What unconstrained values are to the domain.
pub struct ValueSemantics<'a> {
    /// Whether they get a symbol; otherwise they are unknown.
    pub symbolic: bool,
    /// Sees the symbols that are made.
    pub log: Option<&'a mut PathSymbols>,
}

const PREFIX: &str = "in!";

/// The n-th symbol of a path. Equal numbers on different paths are equal symbols, so that solvers meet the same terms
/// again.
pub(super) fn input_symbol(terms: &Terms, number: u32, width: u32) -> Term {
    terms.named(&format!("{PREFIX}{number}!{width}"), Sort::bv(width))
}

pub(super) fn is_input_symbol(name: &str) -> bool {
    name.starts_with(PREFIX)
}

const ENTRY_PREFIX: &str = "entry!";

/// A symbol that a block is entered with and that something outside of the block holds, too.
pub(super) fn entry_symbol(terms: &Terms, number: u32, width: u32) -> Term {
    terms.named(&format!("{ENTRY_PREFIX}{number}!{width}"), Sort::bv(width))
}

pub(super) fn is_entry_symbol(name: &str) -> bool {
    name.starts_with(ENTRY_PREFIX)
}

impl Semantics for ValueSemantics<'_> {
    fn symbolic(&self) -> bool {
        self.symbolic
    }
    fn fresh(&mut self, terms: &Terms, state: &mut State, width: u32, origin: FreshOrigin) -> Value {
        if !self.symbolic {
            return Value::Unknown;
        }
        let symbol = input_symbol(terms, state.symbols, width);
        state.symbols += 1;
        if let Some(log) = &mut self.log {
            log.push(PathSymbol { symbol, origin });
        }
        Value::Term(symbol)
    }
}

impl Domain for ValueDomain<'_> {
    type State = ValueState;
    type Precision = ValuePrecision;
    type Worker = ValueWorker;

    fn worker(&self) -> ValueWorker {
        let solver = Solver::new(self.options.solver.clone());
        ValueWorker { solver, stats: Stats::default(), scratch: vec![], border: None, free: Default::default(), bases: FastMap::default() }
    }

    fn initial(&self, _: &mut ValueWorker) -> ValueState {
        let values = Executor::new(self.program, &self.terms).initial();
        ValueState { values, constraints: Default::default(), model: None }
    }

    fn initial_precision(&self) -> ValuePrecision {
        self.first_precision()
    }

    fn transfer(
        &self,
        worker: &mut ValueWorker,
        state: &ValueState,
        precision: &ValuePrecision,
        step: &Move<'_>,
        _: &mut dyn View,
        out: &mut Successors<ValueState>,
    ) {
        if state.values.has_chains() {
            return self.transfer_chains(worker, state, precision, step, out);
        }
        if let Some(successor) = self.successor(worker, state, Some(precision), step) {
            self.push_enumerated(worker, state, successor, precision, step, out);
        }
    }

    fn adjust(&self, _: &mut ValueWorker, state: &mut ValueState, precision: &ValuePrecision, at: &Position<'_>) -> Adjustment {
        if !precision.everything {
            let everywhere = self.options.scope != assay_cpa::PrecisionScope::Global;
            // The initial state holds values that no step has written.
            let first = at.head.location == self.program.functions[self.program.entry].entry;
            if everywhere || first {
                self.forget_untracked(state, precision, at.head.location, &[], None, true);
            }
        }
        if self.loop_heads.contains(&at.head.location) {
            self.drop_unreachable(state, precision);
        }
        if self.options.symbolic && self.loop_heads.contains(&at.head.location) {
            self.tidy(state);
        }
        if self.options.shape && self.loop_heads.contains(&at.head.location) {
            self.fold(state);
        }
        Adjustment::Continue
    }

    fn covers(&self, worker: &mut ValueWorker, smaller: &ValueState, larger: &ValueState) -> bool {
        if self.options.shape {
            return smaller.values.is_embedded_in(&larger.values, self.program.model.pointer_width());
        }
        match self.options.coverage {
            CoverageRule::Renamed if self.options.symbolic => return self.covers_up_to_names(smaller, larger),
            CoverageRule::Aliased if self.options.symbolic => return self.covers_by_aliases(smaller, larger),
            _ => {}
        }
        if !smaller.values.is_below(&larger.values, &mut |_, _| false) {
            return false;
        }
        if larger.constraints.is_subset(&smaller.constraints) {
            return true;
        }
        if self.options.coverage != CoverageRule::Implication {
            return false;
        }
        smaller.constraints.terms_into(&mut worker.scratch);
        let facts = std::mem::take(&mut worker.scratch);
        let implied = larger
            .constraints
            .iter()
            .all(|c| facts.contains(&c.term) || worker.solver.implies(&self.terms, &facts, c.term, &self.budget()) == Some(true));
        worker.scratch = facts;
        implied
    }

    /// Section 4.1 of the thesis: where one state has a condition and the other one its negation, neither can matter to
    /// both. The framework keeps the result only if it covers both states.
    fn join(&self, _: &mut ValueWorker, new: &ValueState, old: &ValueState, _: &ValuePrecision, _: &Position<'_>) -> Option<ValueState> {
        if !self.options.merge_constraints || new.values.hash64() != old.values.hash64() || new.values != old.values {
            return None;
        }
        let opposed = |constraint: &Constraint| new.constraints.contains(self.terms.not(constraint.term));
        let constraints = old.constraints.filtered(|constraint| !opposed(constraint));
        (constraints.len() < old.constraints.len()).then(|| ValueState { constraints, ..old.clone() })
    }

    fn hash(&self, state: &ValueState) -> u64 {
        state.values.hash64()
    }
    fn shape(&self, state: &ValueState) -> u64 {
        state.values.shape64()
    }
    fn project(&self, state: &ValueState, like: &ValueState) -> Projection {
        if self.options.shape {
            return Projection::Scan;
        }
        if self.options.symbolic && matches!(self.options.coverage, CoverageRule::Renamed | CoverageRule::Aliased) {
            // The covering state may have other terms for the same values.
            return Projection::Scan;
        }
        match state.values.hash_in_shape(&like.values) {
            Ok(Some(hash)) => Projection::Hash(hash),
            Ok(None) => Projection::Never,
            Err(()) => Projection::Scan,
        }
    }
    fn describe(&self, state: &ValueState) -> String {
        let mut parts = Vec::new();
        super::precision::for_each_register(self.program, &state.values, |variable, value| {
            let name = &self.program.variables[variable].name;
            match value {
                Value::Known { .. } => parts.push(format!("{name} = {}", value.as_bits().map_or(0, Bits::value))),
                Value::Term(term) => parts.push(format!("{name} = {}", self.show(term))),
                _ => {}
            }
        });
        parts.extend(state.constraints.iter().map(|c| self.show(c.term)));
        parts.join("\n")
    }
    fn value_of(&self, _: &mut ValueWorker, state: &ValueState, term: Term) -> Option<Bits> {
        let mut values = state.values.clone();
        let mut semantics = ValueSemantics { symbolic: false, log: None };
        Executor::new(self.program, &self.terms).eval(&mut semantics, &mut values, term).as_bits()
    }
}

/// Forgets the symbolic values in an array, a struct or a part of the heap; a cell that is the whole object is a scalar
/// and stays.
fn forget_symbolic_parts(values: &mut State, id: ObjectId) {
    let Some(object) = values.object(id) else { return };
    let size = object.size.as_bits().map(Bits::value);
    let mut gone = Vec::new();
    object.for_each_cell(|cell| {
        let whole = cell.offset == 0 && size == Some(cell.end().into());
        if matches!(cell.value, Value::Term(_)) && !whole {
            gone.push(*cell);
        }
    });
    for cell in gone {
        values.forget_cell(id, &cell);
    }
}

impl ValueDomain<'_> {
    /// A term for people, cut where it is long.
    fn show(&self, term: Term) -> String {
        let text = self.terms.display(term).to_string();
        if text.len() > 200 { format!("{}…", text.chars().take(200).collect::<String>()) } else { text }
    }

    /// The successor over one step, or `None` where the step cannot be taken. Without a precision everything is
    /// tracked.
    pub fn successor(
        &self,
        worker: &mut ValueWorker,
        state: &ValueState,
        precision: Option<&ValuePrecision>,
        step: &Move<'_>,
    ) -> Option<ValueState> {
        let machine = Executor::new(self.program, &self.terms);
        let mut semantics = ValueSemantics { symbolic: self.options.symbolic, log: None };
        let mut next = state.clone();
        let edge_id = step.step.edge();
        let edge = step.edge;
        let mut object = None;
        let result = if step.is_return() {
            machine.leave(&mut semantics, &mut next.values, edge_id)
        } else {
            if let Operation::Call { .. } = edge.operation {
                for &variable in self.liveness.dead_before_call(edge_id) {
                    next.values.set(self.program, variable, Value::Unknown);
                }
            }
            if precision.is_some_and(|p| !p.everything) || !self.options.symbolic_parts {
                object = self.written_object(&machine, &mut semantics, &mut next.values, &edge.operation);
            }
            machine.step(&mut semantics, &mut next.values, edge_id)
        };
        let condition = match result {
            StepResult::Infeasible => return None,
            StepResult::Continue | StepResult::Unsupported => None,
            StepResult::ContinueIf(term) => Some(term),
        };
        let entering = matches!(edge.operation, Operation::Call { .. }) && !step.is_return();
        if !entering {
            for &variable in self.liveness.dead_after(edge_id) {
                next.values.set(self.program, variable, Value::Unknown);
            }
        }
        self.limit_term(&machine, &mut semantics, &mut next.values, &edge.operation, entering);
        if !self.options.symbolic_parts
            && let Some(object) = object
        {
            forget_symbolic_parts(&mut next.values, object);
        }
        let at = step.target.location;
        if let Some(precision) = precision {
            if !precision.everything && self.options.scope == assay_cpa::PrecisionScope::Global {
                let mut written = Vec::new();
                self.written_registers(&edge.operation, entering, &mut written);
                self.forget_untracked(&mut next, precision, at, &written, object, false);
            }
            if step.is_return() {
                self.drop_unreachable(&mut next, precision);
            }
            let Some(term) = condition else { return Some(next) };
            if precision.everything || self.tracks_constraint(precision, edge_id) {
                return self.constrain(worker, next, term, edge_id, at);
            }
            // A condition that is not tracked is still one on the step itself: what contradicts it by itself, or
            // together with what is tracked, is refuted without any memory of it.
            let model = self.constrain(worker, next.clone(), term, edge_id, at)?.model;
            if model.is_some() {
                next.model = model;
            }
            return Some(next);
        }
        match condition {
            Some(term) => self.constrain(worker, next, term, edge_id, at),
            None => Some(next),
        }
    }

    /// The registers of the frame on top that an operation may have given a value.
    fn written_registers(&self, operation: &Operation, entering: bool, out: &mut Vec<VarId>) {
        match operation {
            Operation::Call { callee, .. } if entering => out.extend(&self.program.functions[*callee].parameters),
            Operation::Assume { condition } => {
                // Conditions teach values.
                out.extend(self.terms.free_symbols(*condition).into_iter().filter_map(|s| self.program.variable_of(s)));
            }
            _ => out.extend(operation.written_register()),
        }
    }

    /// The object whose cells an operation writes, where one is known beforehand.
    fn written_object(
        &self,
        machine: &Executor<'_>,
        semantics: &mut ValueSemantics<'_>,
        values: &mut State,
        operation: &Operation,
    ) -> Option<ObjectId> {
        let address = match operation {
            Operation::Store { address, .. } | Operation::Load { address, .. } | Operation::HavocMemory { address, .. } => *address,
            Operation::Copy { destination, .. } | Operation::Fill { destination, .. } => *destination,
            _ => return None,
        };
        machine.eval(semantics, values, address).object()
    }

    /// Replaces a value whose term has grown too large by a fresh one.
    fn limit_term(
        &self,
        machine: &Executor<'_>,
        semantics: &mut ValueSemantics<'_>,
        values: &mut State,
        operation: &Operation,
        entering: bool,
    ) {
        if !self.options.symbolic || entering {
            return;
        }
        let Some(variable) = operation.written_register() else { return };
        if let Value::Term(term) = values.get(self.program, variable)
            && u32::from(self.terms.node(term).tree_size()) > self.options.max_term_size
        {
            let width = self.terms.width(term);
            let fresh = semantics.fresh(machine.terms, values, width, FreshOrigin::Approximation { edge: None });
            values.set(self.program, variable, fresh);
        }
    }
}
