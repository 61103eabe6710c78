//! Symbolic execution with loops cut by k-induction.
//!
//! Where a path enters a loop, it goes on along two paths. The *base* follows the first k iterations as they are. The
//! *step* begins in any iteration: all that the loop may change takes any value (within the bounds that are known to
//! hold at the loop's head); then come k iterations that are taken to be free of violations, and one more that is not.
//! No path iterates a loop more than k + 1 times, so the exploration ends.
//!
//! *Why this is sound.* Take an execution that runs into a violation for the first time, and at each loop that it
//! enters the number j of iterations that it completes there before it leaves the loop or meets the violation. Where j
//! < k the base follows it. Where j ≥ k the step does, beginning in iteration j - k: its first k iterations contain no
//! violation, since the execution meets its first one later, so that ignoring violations there cuts nothing off that
//! the execution does; and in the iteration after them the loop can be left and violations count. The iterations in
//! between may enter inner loops, for which the same holds. What an execution does is therefore followed by a path on
//! which no context ignores violations at its end. Candidates for invariants are checked and assumed by the same rule:
//! a candidate that fails at the head of a loop counts as a violation there, except that it is dropped and everything
//! repeated. Loops with several entries are not cut but reported as unresolved.
//!
//! Where accesses are the question ([`memory`]), an iteration that was skipped must not have changed which objects are
//! alive.
//!
//! Recursive functions are cut in the same path where the program has paths past their calls ([`recursion`]).

mod bounds;
mod candidates;
mod cells;
mod checks;
mod memory;
mod recursion;
mod state;

pub use bounds::{Bounds, interval_bounds};
pub use candidates::InductionPrecision;
pub use state::InductionState;

use crate::value::{ValueDomain, ValuePrecision, ValueSemantics, ValueState, ValueWorker};
use assay_base::FastMap;
use assay_cfa::structure::{Effects, LoopId, Structure};
use assay_cfa::{EdgeId, LocationId, Operation, Storage, VarId};
use assay_cpa::{Adjustment, Domain, Head, Mark, Move, Position, Projection, Successors, View};
use assay_passes::cells::WatchedArray;
use assay_passes::recursion::CutCalls;
use assay_semantics::state::{Executor, Value};
use assay_term::{Bits, Term};
use candidates::{Candidate, Candidates, Met, Spot};
use checks::Beliefs;
use recursion::Recursion;
use state::{Context, Phase, Surroundings};
use std::sync::Arc;

/// The domain: symbolic states with the loops that they are in.
pub struct InductionDomain<'d, 'p> {
    /// What states and transfers are made with.
    pub values: &'d ValueDomain<'p>,
    /// The loops that are cut.
    pub structure: &'d Structure<'p>,
    effects: FastMap<LoopId, Effects>,
    /// What is assumed where a loop is cut: interval analysis has proved it.
    pub bounds: &'d Bounds,
    /// All candidates for invariants, with which an exploration begins.
    candidates: Arc<Candidates>,
    /// What lets candidates about watched cells be checked for some executions only.
    beliefs: Beliefs,
    failure: Arc<str>,
    /// What loops do to the lives of objects.
    lives: memory::Lives,
    /// Where recursion is cut.
    recursion: Option<Recursion<'d>>,
    /// k.
    depth: u32,
}

/// What a domain is told about the program that it runs on.
#[derive(Clone, Copy, Default)]
pub struct Surgery<'d> {
    /// The cells that are watched.
    pub arrays: &'d [WatchedArray],
    /// The paths past recursive calls.
    pub cut: Option<&'d CutCalls>,
}

/// Conditions over registers that may hold at a place: candidates for invariants that others suggest.
pub type Suggestions = FastMap<LocationId, Vec<Term>>;

impl<'d, 'p> InductionDomain<'d, 'p> {
    /// k-induction with k = `depth`: loops are followed for so many iterations before they are cut.
    pub fn new(
        values: &'d ValueDomain<'p>,
        structure: &'d Structure<'p>,
        bounds: &'d Bounds,
        surgery: Surgery<'d>,
        suggestions: &Suggestions,
        depth: u32,
    ) -> Self {
        let program = structure.program;
        let mut effects = FastMap::default();
        for (id, info) in structure.loops().loops.iter_ids() {
            let edges = info.locations.iter().flat_map(|&location| program.locations[location].outgoing.iter().copied());
            effects.insert(id, structure.effects().of_edges(program, edges));
        }
        let mut candidates = Candidates::of(structure, &values.terms, surgery.arrays, suggestions);
        let recursion = surgery.cut.map(|calls| Recursion::of(structure, &values.terms, calls, &mut candidates));
        let beliefs = Beliefs::of(&values.terms, surgery.arrays);
        let lives = memory::Lives::of(structure, &effects);
        let failure = Arc::from("a candidate for an invariant does not hold");
        InductionDomain { values, structure, effects, bounds, candidates: Arc::new(candidates), beliefs, failure, lives, recursion, depth }
    }

    /// The conditions over registers that stand at the loop's head: with the precision of a proof, those that hold
    /// there.
    pub fn invariants(&self, precision: &InductionPrecision, id: LoopId) -> Vec<Term> {
        let candidates = precision.standing.at(Spot::Loop(id));
        candidates.iter().filter_map(|candidate| if let Candidate::Holds(term) = *candidate { Some(term) } else { None }).collect()
    }

    /// Whether the loop, with what it calls, reads or writes the variable.
    pub fn touches(&self, id: LoopId, variable: VarId) -> bool {
        let effects = &self.effects[&id];
        effects.reads.contains(&variable) || effects.writes.contains(&variable)
    }

    /// The successors over one step. Which candidates do not hold is noted.
    fn follow(
        &self,
        worker: &mut ValueWorker,
        met: &mut Met<'_>,
        state: &InductionState,
        precision: &ValuePrecision,
        step: &Move<'_>,
        out: &mut Successors<InductionState>,
    ) {
        let Some(next) = self.values.successor(worker, &state.values, Some(precision), step) else { return };
        let entering = matches!(step.edge.operation, Operation::Call { .. }) && !step.is_return();
        let target = step.target.location;
        let mut surroundings = Surroundings::clone(&state.surroundings);
        if !entering && self.leave_loops(&mut surroundings.contexts, step.target).is_none() {
            return;
        }
        let next = match self.cut_recursion(worker, met, state, next, &mut surroundings, step) {
            Ok(next) => next,
            Err(recursion::Ended::Here) => return,
            Err(recursion::Ended::Unresolved(next, reason)) => {
                return out.push_marked(InductionState::new(*next, surroundings), Mark::Unresolved(Arc::from(reason)));
            }
        };
        let is_target = self.structure.program.locations[target].target.is_some();
        if is_target && surroundings.ignores(self.depth) {
            return;
        }
        match self.structure.loops().head_of(target) {
            Some(id) if !is_target => self.arrive(worker, met, next, surroundings, id, step, out),
            _ => out.push(InductionState::new(next, surroundings)),
        }
    }

    /// Goes with the contexts over a step. `None` where the path ends because a loop is left before the iterations that
    /// the step needs.
    fn leave_loops(&self, contexts: &mut Vec<Context>, target: Head) -> Option<()> {
        let loops = self.structure.loops();
        while let Some(last) = contexts.last() {
            if last.stack != target.stack || loops.contains(last.id, target.location) {
                break;
            }
            if last.ignores(self.depth) {
                return None;
            }
            contexts.pop();
        }
        Some(())
    }

    /// Arrives at the head of a loop; pushes what goes on from there.
    fn arrive(
        &self,
        worker: &mut ValueWorker,
        met: &mut Met<'_>,
        state: ValueState,
        mut surroundings: Surroundings,
        id: LoopId,
        step: &Move<'_>,
        out: &mut Successors<InductionState>,
    ) {
        let stack = step.target.stack;
        let edge = step.step.edge();
        let program = self.structure.program;
        let head = step.target.location;
        if let Some(last) = surroundings.contexts.last_mut()
            && last.id == id
            && last.stack == stack
        {
            let limit = match last.phase {
                Phase::Base => self.depth.saturating_sub(1),
                Phase::Step => self.depth,
            };
            // Beyond the limit, the step has begun in a later iteration already.
            let goes_on = last.round < limit;
            last.round += u32::from(goes_on);
            let context = last.clone();
            let arrived = self.meet(worker, met, state, &context, edge, head, surroundings.ignores(self.depth));
            if let Some(arrived) = arrived.filter(|_| goes_on) {
                out.push(InductionState::new(arrived, surroundings));
            }
            return;
        }
        let effects = &self.effects[&id];
        if self.structure.loops().loops[id].irreducible || effects.touches_everything {
            let reason = "a loop that induction does not cut: it has several entries, or what it may change is not known";
            out.push_marked(InductionState::new(state, surroundings), Mark::Unresolved(Arc::from(reason)));
            return;
        }
        if let Some(reason) = self.lives.refuses(program, &state.values, id) {
            out.push_marked(InductionState::new(state, surroundings), Mark::Unresolved(Arc::from(reason)));
            return;
        }
        let mut state = state;
        let entry = self.entry_values(met, &mut state, id);
        let mut context = Context { id, stack, phase: Phase::Base, round: 0, entry };
        let Some(state) = self.meet(worker, met, state, &context, edge, head, surroundings.ignores(self.depth)) else { return };
        if self.depth > 0 {
            let mut base = surroundings.clone();
            base.contexts.push(context.clone());
            out.push(InductionState::new(state.clone(), base));
        }
        context.phase = Phase::Step;
        let any = self.any_iteration(worker, state, effects, edge, head);
        if let Some(mut any) = any.and_then(|any| self.meet(worker, met, any, &context, edge, head, true)) {
            surroundings.contexts.push(context);
            let lost = self.lives.asked && !self.nothing_is_lost(&mut any);
            let state = InductionState::new(any, surroundings);
            match lost {
                true => out.push_marked(state, Mark::Unresolved(Arc::from("memory may be lost while a loop runs for ever"))),
                false => out.push(state),
            }
        }
    }

    /// What the terms that a loop may keep have as values in the state.
    fn entry_values(&self, met: &Met<'_>, state: &mut ValueState, id: LoopId) -> Arc<[(Term, Value)]> {
        let machine = Executor::new(self.structure.program, &self.values.terms);
        let mut semantics = ValueSemantics { symbolic: true, log: None };
        let kept = met.at(Spot::Loop(id)).filter(|candidate| !matches!(candidate, Candidate::Holds(_)));
        kept.map(|candidate| (candidate.term(), machine.eval(&mut semantics, &mut state.values, candidate.term()))).collect()
    }

    /// The state with any value for whatever the loop may change. `None` where the bounds say that the head is never
    /// reached.
    fn any_iteration(
        &self,
        worker: &mut ValueWorker,
        mut state: ValueState,
        effects: &Effects,
        edge: EdgeId,
        head: LocationId,
    ) -> Option<ValueState> {
        let program = self.structure.program;
        let function = program.locations[head].function;
        let own = |variable: VarId| {
            let info = &program.variables[variable];
            info.is_global() || info.scope == assay_cfa::Scope::Local(function)
        };
        let forget = |state: &mut ValueState, variable| self.values.forget_register_for(state, variable, edge);
        let constraints: Vec<Term> = self
            .forget(&mut state, effects, own, forget)
            .into_iter()
            .filter_map(|(variable, symbol)| self.bounds.of(head, variable).map(|range| range.holds_of(&self.values.terms, symbol)))
            .collect();
        state.model = None;
        for constraint in constraints {
            state = self.values.assume(worker, state, constraint, edge, head)?;
        }
        Some(state)
    }

    /// Forgets what a piece of the program may change of the variables that the filter selects and of memory. Says
    /// which symbols registers have now.
    fn forget(
        &self,
        state: &mut ValueState,
        effects: &Effects,
        selected: impl Fn(VarId) -> bool,
        mut forget_register: impl FnMut(&mut ValueState, VarId) -> Option<Term>,
    ) -> Vec<(VarId, Term)> {
        let mut symbols = Vec::new();
        for &variable in effects.writes.iter().filter(|&&variable| selected(variable)) {
            match self.structure.program.variables[variable].storage {
                Storage::Register { .. } => symbols.extend(forget_register(state, variable).map(|symbol| (variable, symbol))),
                _ => self.values.forget_variable(state, variable),
            }
        }
        if effects.releases {
            state.values.doubt_places();
        }
        if effects.writes_unknown_memory {
            self.values.forget_memory(state, |variable| self.structure.effects().escaped[variable]);
        }
        symbols
    }
}

impl Domain for InductionDomain<'_, '_> {
    type State = InductionState;
    type Precision = InductionPrecision;
    type Worker = ValueWorker;

    fn worker(&self) -> ValueWorker {
        self.values.worker()
    }
    fn initial(&self, worker: &mut ValueWorker) -> InductionState {
        InductionState::new(self.values.initial(worker), Surroundings::default())
    }
    fn initial_precision(&self) -> InductionPrecision {
        InductionPrecision { values: ValuePrecision::everything(), standing: self.candidates.clone() }
    }

    /// Where a candidate does not hold, one of the successors says so.
    fn transfer(
        &self,
        worker: &mut ValueWorker,
        state: &InductionState,
        precision: &InductionPrecision,
        step: &Move<'_>,
        _: &mut dyn View,
        out: &mut Successors<InductionState>,
    ) {
        let mut met = Met::new(precision);
        self.follow(worker, &mut met, state, &precision.values, step, out);
        if !met.failed.is_empty() {
            let end = Surroundings { failed: met.failed, ..Surroundings::default() };
            out.push_marked(InductionState::new(state.values.clone(), end), Mark::Unresolved(self.failure.clone()));
        }
    }

    /// States keep the names of their symbols, because contexts speak of them. (Bringing them to a normal form would
    /// gain nothing: no path iterates a loop for long.)
    fn adjust(&self, _: &mut ValueWorker, _: &mut InductionState, _: &InductionPrecision, _: &Position<'_>) -> Adjustment {
        Adjustment::Continue
    }
    fn covers(&self, worker: &mut ValueWorker, smaller: &InductionState, larger: &InductionState) -> bool {
        smaller.surroundings == larger.surroundings && self.values.covers(worker, &smaller.values, &larger.values)
    }
    fn hash(&self, state: &InductionState) -> u64 {
        self.values.hash(&state.values)
    }
    fn partition(&self, state: &InductionState) -> u64 {
        state.partition()
    }
    fn shape(&self, state: &InductionState) -> u64 {
        self.values.shape(&state.values)
    }
    fn project(&self, state: &InductionState, like: &InductionState) -> Projection {
        self.values.project(&state.values, &like.values)
    }
    fn describe(&self, state: &InductionState) -> String {
        let mut text = self.values.describe(&state.values);
        for context in &state.surroundings.contexts {
            text.push_str(&format!("\nloop {}: {context}", context.id.0));
        }
        for activation in &state.surroundings.activations {
            text.push_str(&format!("\nany activation of {}", self.structure.program.functions[activation.function].name));
        }
        text
    }
    fn value_of(&self, worker: &mut ValueWorker, state: &InductionState, term: Term) -> Option<Bits> {
        self.values.value_of(worker, &state.values, term)
    }
}
