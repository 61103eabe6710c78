//! The domain, and how the framework's questions are put to it.

use super::PredicatePrecision;
use super::abstraction::{AbstractionKind, Answers, Implied};
use super::copies::Copies;
use super::cuts::Cuts;
use super::families::Families;
use super::image::Together;
use super::predicates::{PredicateId, Predicates, Splitting, split};
use super::state::{Abstraction, PredicateState, Segment};
use assay_base::{CancelToken, FastMap, FastSet, Stats};
use assay_cfa::blocks::Blocks;
use assay_cfa::structure::Structure;
use assay_cfa::{FunctionId, LocationId, Program, Scope, VarId};
use assay_cpa::{Domain, Mark, Move, Position, PrecisionScope, Successors, View};
use assay_formula::{Encoder, Form, Stable, StableObject, State, StepOutcome};
use assay_smt::Solver;
use assay_term::{Term, Terms};
use biodivine_lib_bdd::Bdd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// Where blocks end, besides loop heads and entries of recursive functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BlockEnds {
    /// Nowhere else. Whether a block turns out to be too large for exact regions is noted.
    #[default]
    Auto,
    /// Nowhere else.
    Loops,
    /// At entries and exits of functions.
    Functions,
    /// After every edge.
    Edges,
    /// Where all forms of a long block come by.
    Bottlenecks,
}

/// How regions are computed.
#[derive(Clone, Debug)]
pub struct PredicateOptions {
    /// How a region is made of a block's formula.
    pub kind: AbstractionKind,
    /// Where blocks end.
    pub ends: BlockEnds,
    /// Blocks have at most so many edges; 0 for no limit.
    pub max_length: u32,
    /// How an assertion becomes predicates.
    pub splitting: Splitting,
    /// Whether an equality with a constant brings the variable's other constants with it.
    pub families: bool,
    /// How far a predicate that refinement found is tracked.
    pub scope: PrecisionScope,
    /// How the workers' solvers work.
    pub solver: assay_smt::Config,
    /// For one query; without an answer the predicate stays open.
    pub solver_time: Duration,
}

impl Default for PredicateOptions {
    fn default() -> Self {
        PredicateOptions {
            kind: AbstractionKind::Boolean,
            ends: BlockEnds::Auto,
            max_length: 0,
            splitting: Splitting::Atoms,
            families: true,
            scope: PrecisionScope::Location,
            solver: assay_smt::Config::default(),
            solver_time: Duration::from_secs(5),
        }
    }
}

/// The domain. It owns the overlay in which the run's terms are made.
pub struct PredicateDomain<'p> {
    /// What is explored.
    pub program: &'p Program,
    /// The run's overlay on the program's.
    pub terms: Arc<Terms>,
    /// How regions are computed.
    pub options: PredicateOptions,
    pub(super) structure: &'p Structure<'p>,
    pub(super) predicates: Predicates,
    families: Families,
    copies: Copies,
    pub(super) cuts: Cuts,
    /// Whether a block was met that is so large that it should be cut.
    pub(super) too_large: AtomicBool,
    /// Locals of which each activation has but few values.
    fixed: FastSet<VarId>,
    pub(super) cancel: CancelToken,
    pub(super) globals: State,
    serial: AtomicU64,
    /// Where blocks of memoization begin and end.
    borders: FastSet<LocationId>,
    /// Whether they are borders of ours, too.
    by_blocks: bool,
    /// By the function of their place (`None` for all): functions of whose locals predicates speak that are tracked
    /// there.
    pub(super) spoken: RwLock<Spoken>,
}

/// Functions of whose locals something speaks, by where it does.
type Spoken = FastMap<Option<FunctionId>, FastSet<FunctionId>>;

/// A thread's solver, counters and what it has abstracted before.
pub struct PredicateWorker {
    /// For all other questions.
    pub solver: Solver,
    /// Asks for one combination of predicates after the other: each query is the one before with a clause more, for
    /// which the engine alone is best.
    pub enumerator: Solver,
    /// What was asked and found.
    pub stats: Stats,
    pub(super) answers: Answers,
    pub(super) implied: Implied,
    pub(super) together: Together,
    /// How many of the last blocks in a row had many combinations.
    pub(super) many: u32,
}

impl<'p> PredicateDomain<'p> {
    /// Without predicates.
    pub fn new(structure: &'p Structure<'p>, terms: Arc<Terms>, options: PredicateOptions, cancel: &CancelToken) -> Self {
        let program = structure.program;
        let encoder = encoder(program, &terms);
        let unwritten = encoder.unwritten_globals();
        let globals = encoder.with_registers(encoder.open_globals(), &unwritten);
        let predicates = Predicates::new();
        let families = if options.families { Families::of(program, &terms) } else { Families::default() };
        let copies = if options.families { Copies::of(structure, &terms, &unwritten) } else { Copies::default() };
        let cuts = if options.ends == BlockEnds::Bottlenecks { Cuts::of(structure) } else { Cuts::default() };
        PredicateDomain {
            program,
            terms,
            options,
            structure,
            predicates,
            families,
            copies,
            cuts,
            too_large: AtomicBool::new(false),
            fixed: fixed(structure),
            cancel: cancel.clone(),
            globals,
            serial: AtomicU64::new(0),
            borders: FastSet::default(),
            by_blocks: false,
            spoken: RwLock::default(),
        }
    }

    /// With blocks of memoization, at whose borders there are abstractions. Those at one place become one: the caller
    /// that needs the paths that led there finds them anew ([`segment_between`](Self::segment_between)).
    #[must_use]
    pub fn with_borders(mut self, blocks: &Blocks) -> Self {
        self.borders = blocks.blocks.iter().flat_map(|block| block.exits.iter().copied().chain([block.entry])).collect();
        self.by_blocks = true;
        // What a summary rests on must be in its key, and that a program never writes something is not.
        self.globals = self.encoder().open_globals();
        self
    }

    /// Whether blocks of memoization are borders.
    pub fn has_borders(&self) -> bool {
        self.by_blocks
    }

    fn is_border(&self, location: LocationId) -> bool {
        self.has_borders() && self.borders.contains(&location)
    }

    /// Makes the formulas of paths. Pointers may point to any object, so there is no memory that only pointers from
    /// outside lead to.
    pub fn encoder(&self) -> Encoder<'_> {
        Encoder { cancel: Some(&self.cancel), ..encoder(self.program, &self.terms) }
    }

    pub(super) fn serial(&self) -> u64 {
        self.serial.fetch_add(1, Ordering::Relaxed)
    }

    /// How many predicates were found so far.
    pub fn predicates_found(&self) -> usize {
        self.predicates.len()
    }

    /// What a predicate says, over stable symbols.
    pub fn predicate(&self, id: PredicateId) -> Term {
        self.predicates.get(id).term
    }

    /// Makes the precision use the parts of an assertion at a place; `true` if something was new there.
    pub fn track(&self, precision: &mut PredicatePrecision, at: LocationId, assertion: Term) -> bool {
        let mut news = false;
        for part in split(&self.terms, assertion, self.options.splitting) {
            news |= self.track_part(precision, at, part);
            let others = self.families.others(&self.encoder(), part);
            let copies = self.copies.others(&self.encoder(), part);
            for other in others.into_iter().chain(copies.iter().copied()) {
                news |= self.track_part(precision, at, other);
            }
        }
        news
    }

    fn track_part(&self, precision: &mut PredicatePrecision, at: LocationId, part: Term) -> bool {
        let Some(id) = self.predicates.number(&self.encoder(), part) else { return false };
        let mut news = false;
        for place in self.tracked_at(at) {
            self.note_spoken(place, id);
            news |= precision.track(self.program, place, self.options.scope, &id);
        }
        news
    }

    /// Remembers of whose locals a predicate speaks that is tracked at a place.
    pub(super) fn note_spoken(&self, at: LocationId, id: PredicateId) {
        let place = (self.options.scope != PrecisionScope::Global).then(|| self.program.locations[at].function);
        for &(_, _, stable) in &self.predicates.get(id).symbols {
            if let Stable::Register { variable, .. } = stable
                && let Scope::Local(function) = self.program.variables[variable].scope
                && place != Some(function)
            {
                self.spoken.write().unwrap_or_else(PoisonError::into_inner).entry(place).or_default().insert(function);
            }
        }
    }

    /// Whether large blocks are cut.
    pub(super) fn cuts_blocks(&self) -> bool {
        self.options.ends == BlockEnds::Bottlenecks && !self.has_borders()
    }

    /// Whether a block is too large for an exact region, or nearly so, and it would be better to cut it.
    pub fn should_cut(&self) -> bool {
        self.options.ends == BlockEnds::Auto && !self.has_borders() && self.too_large.load(Ordering::Relaxed)
    }

    /// Whether the region at some border has more combinations than can be listed.
    pub fn has_too_many_combinations(&self) -> bool {
        self.has_borders() && self.too_large.load(Ordering::Relaxed)
    }

    /// Whether blocks end at a place, however it is reached.
    pub fn ends_at(&self, location: LocationId) -> bool {
        let function = self.program.locations[location].function;
        let entry = self.program.functions[function].entry == location;
        let exit = self.program.functions[function].exit == location;
        self.structure.loops().is_head(location)
            || self.is_border(location)
            || entry && self.structure.calls().recursive[function]
            || self.options.ends == BlockEnds::Functions && (entry || exit)
            || self.options.ends == BlockEnds::Edges
    }

    pub(super) fn predicates_at(&self, precision: &PredicatePrecision, location: LocationId) -> Vec<PredicateId> {
        let at = |place: LocationId| precision.at(place, self.program.locations[place].function);
        let mut list = at(location);
        if self.cuts_blocks() && !self.ends_at(location) {
            list.extend(self.heads_around(location).flat_map(at));
        }
        list.sort_unstable();
        list.dedup();
        list
    }

    /// Objects of sites in loops, or of functions that are active more than once, would be many.
    fn keeps(&self, object: StableObject) -> bool {
        let once = |function: FunctionId| !self.structure.calls().recursive[function];
        match object {
            StableObject::Variable { .. } => true,
            StableObject::Site(edge) => {
                let source = self.program.edges[edge].source;
                self.structure.loops().innermost[source].is_none() && once(self.program.locations[source].function)
            }
        }
    }

    /// A state at the end of a path.
    pub(super) fn abstraction(&self, segment: &Arc<Segment>, region: Bdd) -> PredicateState {
        self.opened_at(&segment.formula, region, Some(segment.clone()))
    }

    /// An abstraction where the program is in this state.
    pub(super) fn opened_at(&self, state: &State, region: Bdd, arrived: Option<Arc<Segment>>) -> PredicateState {
        let encoder = self.encoder();
        let fixed = |variable| self.fixed.contains(&variable);
        let (open, pointers) = encoder.opened(state, &self.globals, &|object| self.keeps(object), &fixed);
        let formula = self.predicates.term(&self.terms, &region);
        let shape = encoder.kept_objects(&open);
        let mut start = Segment::start(self.serial(), open, self.terms.true_());
        start.aside = arrived.as_ref().and_then(|segment| segment.aside);
        let start = Arc::new(start);
        PredicateState {
            at: Arc::new(Abstraction { serial: self.serial(), region, formula, shape, pointers, initial: false, start, arrived }),
            segment: None,
        }
    }
}

impl PredicateDomain<'_> {
    /// Two abstractions at one place as one, where that loses nothing and nothing asks for the paths to them.
    fn union(&self, new: &PredicateState, old: &PredicateState) -> Option<PredicateState> {
        let same = new.is_abstraction()
            && old.is_abstraction()
            && !new.at.initial
            && !old.at.initial
            && new.at.shape == old.at.shape
            && new.at.pointers == old.at.pointers
            && self.has_borders()
            && self.options.kind == AbstractionKind::Boolean;
        if !same {
            return None;
        }
        let region = old.at.region.or(&new.at.region);
        if region == old.at.region {
            return Some(old.clone());
        }
        Some(self.opened_at(&old.at.start.formula, region, None))
    }
}

/// Locals of functions that are not recursive, which no loop assigns: in one activation their values are few.
fn fixed(structure: &Structure<'_>) -> FastSet<VarId> {
    let program = structure.program;
    let is_local = |scope: Scope| matches!(scope, Scope::Local(function) if !structure.calls().recursive[function]);
    let locals = program.variables.iter_ids().filter(|(_, variable)| is_local(variable.scope));
    let mut fixed: FastSet<VarId> = locals.map(|(id, _)| id).collect();
    for edge in program.edges.iter().filter(|edge| structure.loops().innermost[edge.source].is_some()) {
        if let Some(variable) = edge.operation.written_register() {
            fixed.remove(&variable);
        }
    }
    fixed
}

fn encoder<'a>(program: &'a Program, terms: &'a Terms) -> Encoder<'a> {
    Encoder { keep_inputs: false, environment: None, ..Encoder::new(program, terms, Form::Substituted) }
}

impl Domain for PredicateDomain<'_> {
    type State = PredicateState;
    type Precision = PredicatePrecision;
    type Worker = PredicateWorker;

    fn worker(&self) -> PredicateWorker {
        let solver = assay_smt::Config { remember: true, ..self.options.solver.clone() };
        let engine = assay_smt::Config { chain: false, remember: false, ..solver.clone() };
        PredicateWorker {
            solver: Solver::new(solver),
            enumerator: Solver::new(engine),
            stats: Stats::default(),
            answers: Answers::default(),
            implied: Implied::default(),
            together: Together::default(),
            many: 0,
        }
    }

    fn initial(&self, _: &mut PredicateWorker) -> PredicateState {
        let start = Arc::new(Segment::start(self.serial(), self.encoder().initial_in_memory(), self.terms.true_()));
        let region = self.predicates.diagrams.mk_true();
        let formula = self.terms.true_();
        let at =
            Abstraction { serial: self.serial(), region, formula, shape: vec![], pointers: vec![], initial: true, start, arrived: None };
        PredicateState { at: Arc::new(at), segment: None }
    }

    fn initial_precision(&self) -> PredicatePrecision {
        PredicatePrecision::empty()
    }

    fn transfer(
        &self,
        worker: &mut PredicateWorker,
        state: &PredicateState,
        precision: &PredicatePrecision,
        step: &Move<'_>,
        _: &mut dyn View,
        out: &mut Successors<PredicateState>,
    ) {
        let segment = state.current();
        let mut formula = segment.formula.clone();
        match self.encoder().follow(&mut formula, step.step) {
            StepOutcome::Continue => {}
            StepOutcome::Infeasible => return,
            StepOutcome::Unsupported(what) => {
                out.push_marked(state.clone(), Mark::Unresolved(what.into()));
                return;
            }
        }
        let location = step.target.location;
        let iterations = self.iterations_at(segment, &formula, location);
        let mut next = Segment::step(self.serial(), segment, step.step, formula, segment.known);
        next.iterations = iterations;
        if self.cuts_blocks() {
            next.aside = self.aside(segment, step.step, next.formula.depth());
        }
        let is_end = self.ends_at(location) && !self.passes(&mut next, location) || self.is_cut(&next, location);
        let next = Arc::new(next);
        if self.program.locations[location].target.is_some() && !self.is_border(location) {
            if self.is_possible(worker, &state.at, &next) {
                out.push(PredicateState { at: state.at.clone(), segment: Some(next) });
            }
            return;
        }
        let long = self.options.max_length > 0 && next.length >= self.options.max_length;
        if !long && !is_end {
            out.push(PredicateState { at: state.at.clone(), segment: Some(next) });
            return;
        }
        let predicates = self.predicates_at(precision, location);
        for region in self.regions(worker, &state.at, &next, &predicates).iter() {
            out.push(self.abstraction(&next, region.clone()));
        }
    }

    fn is_possible(&self, worker: &mut PredicateWorker, state: &PredicateState) -> bool {
        PredicateDomain::is_possible(self, worker, &state.at, state.current())
    }

    fn covers(&self, _: &mut PredicateWorker, smaller: &PredicateState, larger: &PredicateState) -> bool {
        match (&smaller.segment, &larger.segment) {
            (Some(a), Some(b)) => smaller.at.serial == larger.at.serial && a.is_within(b),
            (None, None) => {
                smaller.at.initial == larger.at.initial
                    && smaller.at.shape == larger.at.shape
                    && larger.at.pointers.iter().all(|known| smaller.at.pointers.binary_search(known).is_ok())
                    && smaller.at.region.and_not(&larger.at.region).is_false()
            }
            _ => false,
        }
    }

    /// Paths from one abstraction are merged, which loses nothing.
    fn join(
        &self,
        _: &mut PredicateWorker,
        new: &PredicateState,
        old: &PredicateState,
        _: &PredicatePrecision,
        _: &Position<'_>,
    ) -> Option<PredicateState> {
        let (Some(second), Some(first)) = (&new.segment, &old.segment) else { return self.union(new, old) };
        if new.at.serial != old.at.serial || first.iterations != second.iterations {
            return None;
        }
        if second.is_within(first) {
            return Some(old.clone());
        }
        let (formula, choice) = self.encoder().merge_by_choice(&first.formula, &second.formula);
        let known = self.terms.or(first.known, second.known);
        let segment = Segment::merge(self.serial(), first, second, formula, choice, known);
        Some(PredicateState { at: old.at.clone(), segment: Some(Arc::new(segment)) })
    }

    fn hash(&self, state: &PredicateState) -> u64 {
        state.hash_value()
    }

    fn partition(&self, state: &PredicateState) -> u64 {
        state.segment.as_ref().map_or(0, |segment| segment.partition(state.at.serial + 1))
    }

    fn size(&self, state: &PredicateState) -> usize {
        state.at.region.size()
    }

    fn describe(&self, state: &PredicateState) -> String {
        let region = self.terms.display(state.at.formula);
        match &state.segment {
            None => region.to_string(),
            Some(segment) => format!("{} edges from {region}", segment.length),
        }
    }
}
