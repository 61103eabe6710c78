//! Runs one configured analysis: domain, exploration and refinement put together, and the verdict drawn.

use crate::bounded::Bounded;
use crate::config::{AnalysisKind, Config, ConfigError, DomainChoice, Domains};
use crate::machines::Machines;
use crate::memoize::Memoized;
use crate::path_check::{PathChecker, PathDecision};
use crate::reported::Reported;
use crate::{fuzz, menu, passes, random};
use assay_base::{AssumptionClass, Decision, FastMap, Obstacle, ObstacleKind, Span, Stats};
use assay_cfa::structure::Structure;
use assay_cfa::{Edge, LocationId, Operation, Origin, Program, Target};
use assay_cpa::{
    CallStacks, Cegar, CegarConfig, Domain, Environment, Exploration, ExploreConfig, LocationOrders, Refinement, Refiner, StackId,
    TargetKind, TargetPath,
};
use assay_domains::induction::Surgery;
use assay_domains::predicate::BlockEnds;
use assay_domains::value::{CoverageRule, ValueOptions};
use assay_passes::{cells, latches, recursion};
use assay_refine::PathCheck;
use assay_results::{Analysis, Counterexample, HowFar, Outcome, Progress, RunContext, Verdict};
use assay_term::Terms;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Makes the analysis that a configuration describes.
///
/// # Errors
/// Settings that do not go together.
pub fn build(config: Config) -> Result<Box<dyn Analysis>, ConfigError> {
    build_with(config, None)
}

/// As [`build`]; memoization shares its blocks with other machines.
///
/// # Errors
/// Settings that do not go together.
pub fn build_with(config: Config, machines: Option<Machines>) -> Result<Box<dyn Analysis>, ConfigError> {
    config.validate()?;
    Ok(Box::new(Configured { config, machines }))
}

struct Configured {
    config: Config,
    machines: Option<Machines>,
}

impl Analysis for Configured {
    fn name(&self) -> &str {
        &self.config.name
    }

    fn run(&mut self, program: &Program, context: &RunContext<'_>) -> Outcome {
        context.progress.report(&Progress { phase: &self.config.name, ..Progress::default() });
        if !self.config.passes.is_empty() && self.config.analysis == AnalysisKind::Termination {
            // An execution that never ends is found in the program as it is.
            let changed = assay_passes::run(program.clone(), &self.config.passes).program;
            let outcome = self.run_plain(&changed, &RunContext { last: false, ..*context });
            let proof = outcome.verdict == Verdict::True;
            return if proof { outcome } else { self.run_plain(program, context) };
        }
        if !self.config.passes.is_empty() {
            let changed = assay_passes::run(program.clone(), &self.config.passes).program;
            debug_assert!(assay_cfa::verifier::verify(&changed).is_empty(), "passes must keep programs whole");
            let outcome = self.run_plain(&changed, &RunContext { last: false, ..*context });
            // Without a violation that the program has, the changed one does not say enough.
            return passes::back(program, outcome, context).unwrap_or_else(|| self.run_plain(program, context));
        }
        self.run_plain(program, context)
    }
}

impl Configured {
    /// Runs on a program as it is.
    fn run_plain(&self, program: &Program, context: &RunContext<'_>) -> Outcome {
        let endings = program.questions.contains(Target::Termination);
        if endings != (self.config.analysis == AnalysisKind::Termination) {
            let why = if endings { "whether executions end is asked" } else { "nobody asks whether executions end" };
            return Outcome::unknown(UnknownReason::NothingToDo(why.to_string()));
        }
        if endings {
            return assay_termination::run(program, &self.config.solver(), context).sealed(context.ledger, &program.assumptions);
        }
        let unsupported = |edge: &Edge| matches!(edge.operation, Operation::Unsupported { .. });
        if program.targets().next().is_none() && !program.edges.iter().any(unsupported) {
            return Outcome::proof(vec![]).sealed(context.ledger, &program.assumptions);
        }
        let structure = Structure::new(program);
        if self.config.watch_cells > 0 {
            return self.watch(&structure, context);
        }
        if self.config.cut_recursion {
            let Some(cut) = recursion::cut(&structure) else {
                return Outcome::unknown(Obstacle::nothing_to_do("there is no recursion to be cut"));
            };
            debug_assert!(assay_cfa::verifier::verify(&cut.program).is_empty(), "cutting recursion must keep programs whole");
            let surgery = Surgery { arrays: &[], cut: Some(&cut.calls) };
            return for_proofs(self.run_on(&Structure::new(&cut.program), surgery, context), "cutting recursion does not prove it");
        }
        if self.config.uses_predicates() {
            return self.run_predicates(&structure, context);
        }
        self.run_on(&structure, Surgery::default(), context)
    }

    /// Predicate analysis, and values alone where it comes to an end of its own and has values beside it: they follow
    /// paths one by one that regions take together.
    fn run_predicates(&self, structure: &Structure<'_>, context: &RunContext<'_>) -> Outcome {
        let values = self.config.domain.first;
        if values == DomainChoice::Predicate {
            return self.run_by_regions(structure, context);
        }
        let outcome = self.run_by_regions(structure, &RunContext { last: false, ..*context });
        if !is_open(&outcome, context) {
            return outcome;
        }
        // The order of products is for states that are merged.
        let (domain, order) = (Domains { first: values, beside: vec![] }, Config::default().order);
        let alone = Configured { config: Config { domain, order, ..self.config.clone() }, machines: None };
        let last = alone.run_on(structure, Surgery::default(), context);
        match last.verdict {
            // What was asked for are predicates, and why they do not get on.
            Verdict::Unknown(_) if context.cancel.stopped().is_none() => after(&last, outcome),
            _ => after(&outcome, last),
        }
    }

    /// Predicate analysis, once more where values beside predicates were given up, or where blocks turned out to be too
    /// large. That run begins anew: it has other predicates, and a program that needs no cuts is explored as it is.
    fn run_by_regions(&self, structure: &Structure<'_>, context: &RunContext<'_>) -> Outcome {
        let notes = Notes::default();
        let first = &RunContext { last: false, ..*context };
        let mut outcome = self.run_where_ways_meet(structure, first, &notes);
        let without_values = notes.without_values.load(Ordering::Relaxed);
        if is_open(&outcome, context) && without_values && !notes.too_large.load(Ordering::Relaxed) {
            outcome = after(&outcome, self.run_where_ways_meet(structure, first, &notes));
        }
        let cuts = self.config.block_ends == BlockEnds::Auto && notes.too_large.load(Ordering::Relaxed);
        if !(cuts && is_open(&outcome, context)) {
            return outcome;
        }
        let cutting = Configured { config: Config { block_ends: BlockEnds::Bottlenecks, ..self.config.clone() }, machines: None };
        after(&outcome, cutting.run_where_ways_meet(structure, context, &notes))
    }

    /// Runs where all ways to a place of an abstraction meet before it.
    fn run_where_ways_meet(&self, structure: &Structure<'_>, context: &RunContext<'_>, notes: &Notes) -> Outcome {
        let program = structure.program;
        let run = |structure: &Structure<'_>| self.run_noting(structure, Surgery::default(), context, Some(notes));
        let Some(changed) = latches::add(structure, self.config.block_ends == BlockEnds::Bottlenecks) else {
            return run(structure);
        };
        debug_assert!(assay_cfa::verifier::verify(&changed).is_empty(), "places where ways meet must keep programs whole");
        let outcome = run(&Structure::new(&changed));
        let failure = || Outcome::unknown(Obstacle::failed("a violation is none without the places where ways meet"));
        passes::violation_back(program, outcome, context).unwrap_or_else(failure)
    }

    /// Runs on programs with more and more watched cells of arrays, until one is proved.
    fn watch(&self, structure: &Structure<'_>, context: &RunContext<'_>) -> Outcome {
        let mut last = Outcome::unknown(Obstacle::nothing_to_do("no array has only uses that are understood"));
        // Watched cells are no memory: what they point to would be lost, or kept.
        let other = structure.program.questions.about_leaks();
        for cells in 1..=self.config.watch_cells {
            if other || context.cancel.stopped().is_some() {
                break;
            }
            let Some(watched) = cells::watch(structure, cells as usize) else { break };
            debug_assert!(assay_cfa::verifier::verify(&watched.program).is_empty(), "watching cells must keep programs whole");
            let surgery = Surgery { arrays: &watched.arrays, cut: None };
            last = for_proofs(self.run_on(&Structure::new(&watched.program), surgery, context), "watched cells do not prove it");
            if last.verdict.is_true() {
                break;
            }
        }
        last
    }

    fn run_on(&self, structure: &Structure<'_>, surgery: Surgery<'_>, context: &RunContext<'_>) -> Outcome {
        self.run_noting(structure, surgery, context, None)
    }

    /// As [`run_on`](Self::run_on); with notes for the run after it.
    fn run_noting(&self, structure: &Structure<'_>, surgery: Surgery<'_>, context: &RunContext<'_>, notes: Option<&Notes>) -> Outcome {
        let program = structure.program;
        let run = Run { config: &self.config, program, structure, surgery, context, machines: self.machines.as_ref(), notes };
        let terms = Arc::new(Terms::overlay(program.terms.clone()));
        if context.last {
            std::mem::forget(terms.clone());
        }
        if self.config.coverage == CoverageRule::Aliased {
            context.ledger.note(AssumptionClass::Under, Span::NONE, "coverage by aliased subsets may cut off paths");
        }
        let mut outcome = match self.config.analysis {
            AnalysisKind::Unroll => Bounded { config: &self.config, program, structure, context }.run(),
            AnalysisKind::Run => random::run(&run),
            AnalysisKind::Fuzz => fuzz::run(&run),
            // It was run before.
            AnalysisKind::Termination => Outcome::unknown(UnknownReason::NothingToDo(String::new())),
            AnalysisKind::Explore => menu::explore(&run, terms),
        };
        if let Some(reason) = context.cancel.stopped()
            && matches!(outcome.verdict, Verdict::Unknown(_))
        {
            outcome.verdict = Outcome::stopped(reason).verdict;
        }
        if let Some(counterexample) = outcome.counterexample()
            && let Some(input) = counterexample.inputs.iter().find(|input| input.environment_address(program).is_some())
        {
            context.ledger.note(AssumptionClass::Rules, input.span, "pointers from outside point to memory of the environment");
        }
        outcome.sealed(context.ledger, &program.assumptions)
    }
}

/// What is known of a program from the outcome of a changed one, which has all its behaviours and others.
fn for_proofs(mut outcome: Outcome, failure: &str) -> Outcome {
    match &mut outcome.verdict {
        // Its invariants speak of locations and registers that the original does not have.
        Verdict::True(proof) => proof.invariants.clear(),
        Verdict::Unknown(_) => {}
        Verdict::False(_) => {
            let statistics = std::mem::take(&mut outcome.statistics);
            outcome = Outcome::unknown(Obstacle::imprecise(failure));
            outcome.statistics = statistics;
        }
    }
    outcome
}

/// What all ways of running share.
pub(crate) struct Run<'r> {
    pub config: &'r Config,
    pub program: &'r Program,
    pub structure: &'r Structure<'r>,
    /// What was done to the program.
    pub surgery: Surgery<'r>,
    pub context: &'r RunContext<'r>,
    /// What it has to do with other machines.
    pub machines: Option<&'r Machines>,
    /// Where predicate analysis notes what another run should know.
    pub notes: Option<&'r Notes>,
}

/// Whether an analysis ended without a verdict, and with time left for another one.
fn is_open(outcome: &Outcome, context: &RunContext<'_>) -> bool {
    matches!(outcome.verdict, Verdict::Unknown(_)) && context.cancel.stopped().is_none()
}

/// What one run says, with what the one before it did.
fn after(before: &Outcome, mut outcome: Outcome) -> Outcome {
    outcome.statistics.merge(&before.statistics);
    outcome
}

/// What one run of predicate analysis leaves for the next.
#[derive(Default)]
pub(crate) struct Notes {
    /// Blocks should be cut.
    pub too_large: AtomicBool,
    /// Values beside predicates were given up.
    pub without_values: AtomicBool,
}

pub(crate) type Confirmed = Box<Counterexample>;

impl Run<'_> {
    /// Whether a function that can be called calls itself.
    pub(crate) fn is_recursive(&self) -> bool {
        let calls = self.structure.calls();
        self.program.functions.ids().any(|function| calls.recursive[function] && calls.reached[function])
    }

    pub(crate) fn value_options(&self, symbolic: bool) -> ValueOptions {
        ValueOptions { symbolic, ..value_options(self.config) }
    }

    pub(crate) fn check(&self) -> Check<'_> {
        let config = self.config;
        Check { checker: PathChecker::new(self.program, self.context.cancel, config.path_time, config.path_check, config.solver()) }
    }

    /// Explores with a domain: by blocks where the configuration says so, otherwise the program as a whole.
    pub(crate) fn explore<D: Reported, R: Refiner<D, Evidence = Confirmed>>(
        &self,
        domain: &D,
        explore: ExploreConfig,
        refiner: &mut R,
    ) -> Outcome {
        let stacks = CallStacks::new(Some(self.config.call_depth));
        let orders = LocationOrders::new(self.program);
        let environment = Environment {
            program: self.program,
            stacks: &stacks,
            orders: &orders,
            ledger: self.context.ledger,
            cancel: self.context.cancel,
        };
        let mut stats = Stats::default();
        let memoized = if self.config.bam { domain.memoize(self, environment, explore, refiner, &mut stats) } else { None };
        let mut outcome = match memoized {
            Some(Memoized::Done(outcome)) => outcome,
            Some(Memoized::Excluded(precision, notes)) => {
                let exploration = Exploration::new(environment, domain, explore, precision);
                Outcome { notes, ..self.plain(exploration, refiner, &mut stats) }
            }
            None => self.plain(Exploration::new(environment, domain, explore, domain.initial_precision()), refiner, &mut stats),
        };
        outcome.statistics = stats;
        outcome
    }

    /// Explores the program as a whole, as the configuration says.
    fn plain<D: Reported, R: Refiner<D, Evidence = Confirmed>>(
        &self,
        exploration: Exploration<'_, D>,
        refiner: &mut R,
        stats: &mut Stats,
    ) -> Outcome {
        let config = CegarConfig {
            restart: self.config.restart,
            patience: (self.config.patience > 0).then_some(self.config.patience),
            monitoring: self.config.monitoring,
            all_at_once: self.config.all_counterexamples,
            ..CegarConfig::default()
        };
        let (mut outcome, remains) = self.attempt(exploration, config, refiner, stats);
        if outcome.verdict.obstacle().is_some_and(|obstacle| obstacle.kind.is_stop() || obstacle.kind == ObstacleKind::Bound) {
            outcome.how_far = self.how_far(&remains.0.exploration);
        }
        self.leave(remains);
        outcome
    }

    /// What the graph shows of an exploration that was stopped.
    fn how_far<D: Domain>(&self, exploration: &Exploration<'_, D>) -> HowFar {
        let (program, loops) = (self.program, self.structure.loops());
        if self.config.domain.first == DomainChoice::Induction {
            // Its paths begin in any round of a loop.
            return HowFar::default();
        }
        let mut states: FastMap<LocationId, u64> = FastMap::default();
        let mut paths = 0;
        for node in exploration.arg.live() {
            let head = exploration.arg.head(node);
            let place = &program.locations[head.location];
            let ends =
                place.outgoing.is_empty() && (program.functions[place.function].exit != head.location || head.stack == StackId::EMPTY);
            if ends && place.target.is_none() {
                paths += 1;
            }
            if loops.head_of(head.location).is_some() {
                *states.entry(head.location).or_default() += 1;
            }
        }
        let busiest = states.into_iter().max_by_key(|&(location, states)| (states, std::cmp::Reverse(location)));
        let span = |location: LocationId| {
            let edges = program.locations[location].outgoing.iter().map(|&edge| &program.edges[edge]);
            let keyword = |edge: &Edge| match edge.origin {
                Origin::Branch { keyword, .. } => keyword,
                _ => edge.span,
            };
            edges.map(keyword).find(|span| span.is_known()).unwrap_or(Span::NONE)
        };
        // What other domains call a path stands for many.
        let paths = if matches!(self.config.domain.first, DomainChoice::Symbolic | DomainChoice::Value) { paths } else { 0 };
        HowFar { rounds: 0, paths, busiest: busiest.map(|(location, states)| (span(location), states)) }
    }

    /// Does not spend time on dropping what the end of the process drops.
    pub(crate) fn leave<T>(&self, remains: T) {
        if self.context.last {
            std::mem::forget(remains);
        }
    }

    /// Explores the program as a whole. Beside the outcome, or why there is none, what is left of the exploration.
    pub(crate) fn attempt<'a, D: Reported, R: Refiner<D, Evidence = Confirmed>>(
        &self,
        exploration: Exploration<'a, D>,
        config: CegarConfig,
        refiner: &mut R,
        stats: &mut Stats,
    ) -> (Outcome, (Cegar<'a, D>, D::Worker)) {
        let mut worker = exploration.domain.worker();
        let mut cegar = Cegar::new(exploration, config);
        let mut result = cegar.run(&mut worker, refiner);
        for _ in 0..self.config.narrowing {
            let unresolved = result.obstacle().is_some_and(|obstacle| obstacle.kind.is_of_a_target());
            if !unresolved || !cegar.exploration.is_exhausted() {
                break;
            }
            let Some(precision) = D::descend(&cegar.exploration) else { break };
            cegar.restart(&mut worker, precision);
            stats.add("rounds of narrowing", 1);
            result = cegar.run(&mut worker, refiner);
        }
        cegar.exploration.counters.add_to(stats);
        cegar.counters.add_to(stats);
        cegar.monitors.add_to(stats);
        cegar.exploration.domain.statistics(&worker, Some(&cegar.exploration.precision), stats);
        let outcome = match result {
            assay_base::Verdict::True(_) => Outcome::proof(D::invariants(&cegar.exploration)),
            assay_base::Verdict::False(violation) => Outcome::violation(*violation.evidence),
            assay_base::Verdict::Unknown(obstacle) => Outcome::unknown(obstacle),
        };
        (outcome, (cegar, worker))
    }
}

/// What the value domain is told.
pub(crate) fn value_options(config: &Config) -> ValueOptions {
    ValueOptions {
        symbolic: config.domain.first == DomainChoice::Symbolic,
        shape: config.domain.first == DomainChoice::Shape,
        check_at: config.check_at,
        coverage: config.coverage,
        constraint_precision: config.constraint_precision,
        definite: config.definite,
        // Loops and activations remember symbols.
        keep_equations: config.domain.first == DomainChoice::Induction,
        simplify_constraints: config.simplify_constraints,
        forget_addresses: config.forget_addresses,
        forget_independent: config.forget_independent,
        symbolic_parts: config.symbolic_parts,
        merge_constraints: config.merge_constraints,
        initial: config.initial,
        scope: config.scope,
        max_term_size: config.max_term_size,
        max_enum: config.max_enum,
        solver: config.solver(),
        solver_time: config.solver_time,
        reduction: config.reduction,
    }
}

/// The bit-precise check with replay, as refinement asks for it.
pub(crate) struct Check<'p> {
    pub checker: PathChecker<'p>,
}

impl<D: Domain> PathCheck<D> for Check<'_> {
    type Evidence = Confirmed;

    fn check(&mut self, _: &mut D::Worker, path: &TargetPath<'_, '_, D>) -> PathDecision {
        self.decide(path)
    }
}

impl Check<'_> {
    /// Confirms or refutes a path, whatever domain it is of.
    pub(crate) fn decide<D: Domain>(&mut self, path: &TargetPath<'_, '_, D>) -> PathDecision {
        let target = match &path.kind {
            TargetKind::Property(target) => Some(*target),
            TargetKind::Open(_) if path.kind.is_unsupported() => None,
            TargetKind::Open(reason) => return Decision::Open(reason.clone()),
        };
        match self.checker.check(&path.steps, target) {
            Decision::Open(obstacle) => Decision::Open(path.environment.cancel.stopped().map_or(obstacle, Obstacle::stopped)),
            decided => decided,
        }
    }
}

/// For domains that are not refined: paths are confirmed or stay unresolved.
pub(crate) struct CheckOnly<'p> {
    pub check: Check<'p>,
}

impl<D: Domain> Refiner<D> for CheckOnly<'_> {
    type Evidence = Confirmed;

    fn refine(&mut self, worker: &mut D::Worker, path: &TargetPath<'_, '_, D>, _: &mut D::Precision) -> Decision<Confirmed, Refinement> {
        match self.check.check(worker, path) {
            Decision::Feasible(evidence) => Decision::Feasible(evidence),
            Decision::Infeasible(_) => {
                Decision::Open(Obstacle::imprecise("a path to the target is infeasible, and the domain cannot see it"))
            }
            Decision::Open(obstacle) => Decision::Open(obstacle),
        }
    }
}
