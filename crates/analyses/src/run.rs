//! Runs one configured analysis: the steps of its plan, each with domain, exploration and refinement put together, and
//! the verdict drawn.

use crate::bounded::Bounded;
use crate::config::{AnalysisKind, Config, ConfigError, DomainChoice};
use crate::machines::Machines;
use crate::memoize::Memoized;
use crate::path_check::{PathChecker, PathDecision};
use crate::plan::{self, Step};
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
use assay_domains::value::{CoverageRule, ValueOptions};
use assay_passes::{Changed, Keeps};
use assay_refine::PathCheck;
use assay_results::{Analysis, Counterexample, HowFar, Outcome, Progress, RunContext, Verdict};
use assay_term::Terms;
use std::sync::Arc;

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

    /// Follows the plan until a step has a verdict, or none follows on what stood in its path.
    fn run(&mut self, program: &Program, context: &RunContext<'_>) -> Outcome {
        context.progress.report(&Progress { phase: &self.config.name, ..Progress::default() });
        let plan = plan::plan(&self.config);
        let mut told: Option<Outcome> = None;
        let mut at = 0;
        loop {
            let step = &plan[at];
            let last = context.last && step.edges.is_empty();
            let outcome = self.attempt(step, program, &RunContext { last, ..*context });
            let obstacle = outcome.verdict.kind();
            let silent = obstacle.is_some_and(|kind| !step.tells || kind == ObstacleKind::NothingToDo);
            told = Some(match told {
                Some(before) if silent && context.cancel.stopped().is_none() => after(&outcome, before),
                Some(before) => after(&before, outcome),
                None => outcome,
            });
            let next = obstacle.filter(|kind| !kind.is_stop() && context.cancel.stopped().is_none()).and_then(|kind| step.next(kind));
            match (next, told) {
                (Some(next), open) => (at, told) = (next, open),
                (None, told) => return told.unwrap_or_else(|| Outcome::unknown(Obstacle::failed("a plan has a step"))),
            }
        }
    }
}

impl Configured {
    /// One step of the plan: passes, the analysis, and what that says of the program before them.
    fn attempt(&self, step: &Step, program: &Program, context: &RunContext<'_>) -> Outcome {
        let endings = program.questions.contains(Target::Termination);
        if endings != (step.config.analysis == AnalysisKind::Termination) {
            let why = if endings { "whether executions end is asked" } else { "nobody asks whether executions end" };
            return Outcome::unknown(Obstacle::nothing_to_do(why));
        }
        if is_trivial(program) {
            return Outcome::proof(vec![]).sealed(context.ledger, &program.assumptions);
        }
        let whole = Structure::new(program);
        let mut keeps = Keeps::Places;
        let mut changed: Option<Changed> = None;
        for &pass in &step.passes {
            let next = match &changed {
                None => pass.apply(&whole),
                Some(before) => pass.apply(&Structure::new(&before.program)),
            };
            let Some(next) = next else {
                if pass.keeps() == Keeps::Proofs {
                    return Outcome::unknown(Obstacle::nothing_to_do(pass.nothing_to_do()));
                }
                continue;
            };
            debug_assert!(assay_cfa::verifier::verify(&next.program).is_empty(), "passes must keep programs whole: {pass}");
            keeps = keeps.min(pass.keeps());
            changed = Some(next);
        }
        let Some(changed) = changed else { return self.run_on(step, &whole, Surgery::default(), context) };
        let surgery = Surgery { arrays: &changed.arrays, cut: changed.calls.as_ref() };
        let outcome = self.run_on(step, &Structure::new(&changed.program), surgery, context);
        passes::back(program, keeps, outcome, context)
    }

    /// Runs on a program as it is.
    fn run_on(&self, step: &Step, structure: &Structure<'_>, surgery: Surgery<'_>, context: &RunContext<'_>) -> Outcome {
        let (program, config) = (structure.program, &step.config);
        if is_trivial(program) {
            return Outcome::proof(vec![]).sealed(context.ledger, &program.assumptions);
        }
        let run = Run { config, program, structure, surgery, context, machines: self.machines.as_ref() };
        let terms = Arc::new(Terms::overlay(program.terms.clone()));
        context.leave(terms.clone());
        if config.coverage == CoverageRule::Aliased {
            context.ledger.note(AssumptionClass::Under, Span::NONE, "coverage by aliased subsets may cut off paths");
        }
        let mut outcome = match config.analysis {
            AnalysisKind::Unroll => Bounded { config, program, structure, context }.run(),
            AnalysisKind::Run => random::run(&run),
            AnalysisKind::Fuzz => fuzz::run(&run),
            // It was run before.
            AnalysisKind::Termination => assay_termination::run(program, &config.solver(), context),
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
}

/// Whether nothing in the program can go wrong, in a way that is asked about or otherwise.
fn is_trivial(program: &Program) -> bool {
    let unsupported = |edge: &Edge| matches!(edge.operation, Operation::Unsupported { .. });
    let endings = program.questions.contains(Target::Termination);
    !endings && program.targets().next().is_none() && !program.edges.iter().any(unsupported)
}

/// What one run says, with what the one before it did.
fn after(before: &Outcome, mut outcome: Outcome) -> Outcome {
    outcome.statistics.merge(&before.statistics);
    for note in &before.notes {
        if !outcome.notes.contains(note) {
            outcome.notes.push(note.clone());
        }
    }
    outcome
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
        self.context.leave(remains);
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
        initial: config.precision,
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
