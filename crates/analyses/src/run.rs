//! Runs one configured analysis: domain, exploration and refinement put together, and the verdict drawn.

use crate::bounded::Bounded;
use crate::config::{AnalysisKind, Config, ConfigError, DomainChoice};
use crate::facts::UnitFacts;
use crate::memoize::Memoized;
use crate::path_check::{PathChecker, PathVerdict};
use crate::{induction, invariants, predicate, random};
use assay_base::{AssumptionClass, Obstacle, Span, Stats};
use assay_cfa::classify::Classification;
use assay_cfa::structure::Structure;
use assay_cfa::{Edge, Operation, Program};
use assay_cpa::bam::Reduce;
use assay_cpa::{
    CallStacks, Cegar, CegarConfig, CegarOutcome, Defect, Domain, Environment, Exploration, ExploreConfig, LocationOrders, Merge,
    Refinement, Refiner, TargetKind, TargetPath, Unfinished,
};
use assay_domains::bdd::BddDomain;
use assay_domains::induction::Surgery;
use assay_domains::interval::{IntervalDomain, narrowed};
use assay_domains::value::{CoverageRule, Unit, ValueDomain, ValueOptions, ValuePrecision, ValueWorker};
use assay_passes::{cells, recursion};
use assay_refine::{DomainRefiner, InterpolationOptions, PathAnswer, PathCheck, RefineOptions};
use assay_results::{Analysis, Counterexample, Evidence, Invariant, Outcome, Progress, RunContext, UnknownReason, Verdict};
use assay_term::Terms;
use std::sync::Arc;

/// Makes the analysis that a configuration describes.
///
/// # Errors
/// Settings that do not go together.
pub fn build(config: Config) -> Result<Box<dyn Analysis>, ConfigError> {
    config.validate()?;
    Ok(Box::new(Configured { config }))
}

struct Configured {
    config: Config,
}

impl Analysis for Configured {
    fn name(&self) -> &str {
        &self.config.name
    }

    fn run(&mut self, program: &Program, context: &RunContext<'_>) -> Outcome {
        context.progress.report(&Progress { phase: &self.config.name, ..Progress::default() });
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
                return Outcome::unknown(UnknownReason::NothingToDo("there is no recursion to be cut".to_string()));
            };
            debug_assert!(assay_cfa::verifier::verify(&cut.program).is_empty(), "cutting recursion must keep programs whole");
            let surgery = Surgery { arrays: &[], cut: Some(&cut.calls) };
            return for_proofs(self.run_on(&Structure::new(&cut.program), surgery, context), "cutting recursion does not prove it");
        }
        self.run_on(&structure, Surgery::default(), context)
    }
}

/// What is known of a program from the outcome of a changed one, which has all its behaviours and others.
fn for_proofs(mut outcome: Outcome, failure: &str) -> Outcome {
    match outcome.verdict {
        // Its invariants speak of locations and registers that the original does not have.
        Verdict::True => outcome.evidence = Evidence::Proof(vec![]),
        Verdict::Unknown(_) => {}
        Verdict::False(_) => {
            let statistics = std::mem::take(&mut outcome.statistics);
            outcome = Outcome::unknown(UnknownReason::Imprecise(failure.to_string()));
            outcome.statistics = statistics;
        }
    }
    outcome
}

impl Configured {
    /// Runs on programs with more and more watched cells of arrays, until one is proved.
    fn watch(&self, structure: &Structure<'_>, context: &RunContext<'_>) -> Outcome {
        let mut last = Outcome::unknown(UnknownReason::NothingToDo("no array has only uses that are understood".to_string()));
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
            if last.verdict == Verdict::True {
                break;
            }
        }
        last
    }

    fn run_on(&self, structure: &Structure<'_>, surgery: Surgery<'_>, context: &RunContext<'_>) -> Outcome {
        let program = structure.program;
        let run = Run { config: &self.config, program, structure, surgery, context };
        let terms = Arc::new(Terms::overlay(program.terms.clone()));
        if context.last {
            std::mem::forget(terms.clone());
        }
        if self.config.coverage == CoverageRule::Aliased {
            context.ledger.note(AssumptionClass::Under, Span::NONE, "coverage by aliased subsets may cut off paths");
        }
        // The one place where a configuration becomes a type.
        let mut outcome = match (self.config.analysis, self.config.domain) {
            (AnalysisKind::Unroll, _) => Bounded { config: &self.config, program, structure, context }.run(),
            (AnalysisKind::Run, _) => random::run(&run),
            (AnalysisKind::Explore, DomainChoice::Value | DomainChoice::Symbolic) => run.value(terms),
            (AnalysisKind::Explore, DomainChoice::Interval) => {
                run.merging(&IntervalDomain::new(program, &terms, structure.loops()), &narrowed)
            }
            (AnalysisKind::Explore, DomainChoice::Predicate) => predicate::run(&run, terms),
            (AnalysisKind::Explore, DomainChoice::Induction) => induction::run(&run, terms),
            (AnalysisKind::Explore, DomainChoice::Bdd) => run.merging(&BddDomain::new(structure, &terms), &|_| None),
        };
        if let Some(reason) = context.cancel.stopped()
            && matches!(outcome.verdict, Verdict::Unknown(_))
        {
            outcome.verdict = Outcome::stopped(reason).verdict;
        }
        if let Evidence::Violation(counterexample) = &outcome.evidence
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
}

pub(crate) type Confirmed = Box<Counterexample>;

impl Run<'_> {
    pub fn value_options(&self, symbolic: bool) -> ValueOptions {
        ValueOptions { symbolic, ..value_options(self.config) }
    }

    /// Value analysis and symbolic execution, with or without refinement.
    fn value(&self, terms: Arc<Terms>) -> Outcome {
        let (config, program) = (self.config, self.program);
        let domain = ValueDomain::new(program, terms.clone(), value_options(config), self.context.cancel);
        let facts = UnitFacts { program, terms: &terms };
        let classes = Classification::of(self.structure);
        let refine = RefineOptions {
            interpolation: InterpolationOptions { order: config.forget_order, scope: config.scope, ..Default::default() },
            delegate_to_values: config.delegate,
            track_contradictions: config.max_enum > 0 && config.domain == DomainChoice::Value,
            preference: config.preference.clone(),
            max_prefixes: config.max_prefixes,
            seed: config.seed,
            trace: config.trace,
        };
        let mut refiner = DomainRefiner::new(refine, &facts, &classes, self.check());
        let calls = self.structure.calls();
        let recursive = program.functions.ids().any(|function| calls.recursive[function] && calls.reached[function]);
        let explore = ExploreConfig { order: config.wait_order(recursive), cover_at_joins: true, ..ExploreConfig::default() };
        let statistics = |worker: &ValueWorker, precision: Option<&ValuePrecision>, stats: &mut Stats| {
            if let Some(precision) = precision {
                count_tracked(precision, stats);
            }
            stats.merge(&worker.stats);
            stats.merge(&worker.solver.stats());
        };
        let prove = |exploration: &Exploration<'_, ValueDomain<'_>>| invariants::of_exploration(program, exploration);
        if config.merge_constraints {
            // A merged state is on several paths, so refuting one of them says nothing about it.
            let explore = ExploreConfig { merge: Merge::Agree, ..explore };
            let mut refiner = CheckOnly { check: self.check() };
            let mut outcome = self.explore(&domain, explore, &mut refiner, &statistics, &prove, &|_| None);
            outcome.statistics.merge(&refiner.check.checker.stats());
            return outcome;
        }
        let mut outcome = self.explore(&domain, explore, &mut refiner, &statistics, &prove, &|_| None);
        refiner.counters.add_to(&mut outcome.statistics);
        outcome.statistics.merge(&refiner.check.checker.stats());
        outcome
    }

    /// Domains that join states where paths meet; a target that the replay does not confirm stays unresolved.
    /// Domains that widen win back what that lost by `descend`, a precision for another run.
    fn merging<'d, D: Reduce>(&self, domain: &'d D, descend: &dyn Fn(&Exploration<'_, D>) -> Option<D::Precision>) -> Outcome {
        let explore = ExploreConfig { order: self.config.wait_order(false), merge: Merge::Join, ..ExploreConfig::default() };
        let mut refiner = CheckOnly { check: self.check() };
        self.explore(domain, explore, &mut refiner, &|_, _, _| {}, &|_| vec![], descend)
    }

    pub fn check(&self) -> Check<'_> {
        let config = self.config;
        Check { checker: PathChecker::new(self.program, self.context.cancel, config.path_time, config.path_check, config.solver()) }
    }

    fn explore<'d, D: Reduce, R: Refiner<D, Evidence = Confirmed>>(
        &self,
        domain: &'d D,
        explore: ExploreConfig,
        refiner: &mut R,
        statistics: &dyn Fn(&D::Worker, Option<&D::Precision>, &mut Stats),
        prove: &dyn Fn(&Exploration<'_, D>) -> Vec<Invariant>,
        descend: &dyn Fn(&Exploration<'_, D>) -> Option<D::Precision>,
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
        let mut outcome = if self.config.bam {
            match self.memoize(environment, domain, explore, refiner, statistics, &mut stats) {
                Memoized::Done(outcome) => outcome,
                Memoized::Excluded(precision, notes) => {
                    let exploration = Exploration::new(environment, domain, explore, precision);
                    Outcome { notes, ..self.plain(exploration, refiner, statistics, prove, descend, &mut stats) }
                }
            }
        } else {
            let exploration = Exploration::new(environment, domain, explore, domain.initial_precision());
            self.plain(exploration, refiner, statistics, prove, descend, &mut stats)
        };
        outcome.statistics = stats;
        outcome
    }

    /// Explores the program as a whole.
    pub fn plain<D: Domain, R: Refiner<D, Evidence = Confirmed>>(
        &self,
        exploration: Exploration<'_, D>,
        refiner: &mut R,
        statistics: &dyn Fn(&D::Worker, Option<&D::Precision>, &mut Stats),
        prove: &dyn Fn(&Exploration<'_, D>) -> Vec<Invariant>,
        descend: &dyn Fn(&Exploration<'_, D>) -> Option<D::Precision>,
        stats: &mut Stats,
    ) -> Outcome {
        let mut worker = exploration.domain.worker();
        let config = CegarConfig {
            restart: self.config.restart,
            patience: (self.config.patience > 0).then_some(self.config.patience),
            monitoring: self.config.monitoring,
            all_at_once: self.config.all_counterexamples,
            ..CegarConfig::default()
        };
        let mut cegar = Cegar::new(exploration, config);
        let mut result = cegar.run(&mut worker, refiner);
        for _ in 0..self.config.narrowing {
            if !matches!(result, CegarOutcome::Unknown(Unfinished::Unresolved(_))) || !cegar.exploration.is_exhausted() {
                break;
            }
            let Some(precision) = descend(&cegar.exploration) else { break };
            cegar.restart(&mut worker, precision);
            stats.add("rounds of narrowing", 1);
            result = cegar.run(&mut worker, refiner);
        }
        cegar.exploration.counters.add_to(stats);
        cegar.counters.add_to(stats);
        cegar.monitors.add_to(stats);
        statistics(&worker, Some(&cegar.exploration.precision), stats);
        let outcome = match result {
            CegarOutcome::Safe(_) => Outcome::proof(prove(&cegar.exploration)),
            CegarOutcome::Violation { evidence, .. } => Outcome::violation(*evidence),
            CegarOutcome::Unknown(reason) => Outcome::unknown(translate(reason)),
        };
        if self.context.last {
            std::mem::forget((cegar, worker));
        }
        outcome
    }
}

/// What the final precision tracks.
fn count_tracked(precision: &ValuePrecision, stats: &mut Stats) {
    if precision.everything {
        stats.add("precision: everything", 1);
        return;
    }
    precision.items().for_each(|unit| match unit {
        Unit::Register(_) => stats.add("precision: registers", 1),
        Unit::Cell(..) => stats.add("precision: memory cells", 1),
        Unit::Constraint(_) | Unit::ConstraintsAt(_) | Unit::ConstraintsOver(_) => stats.add("precision: constraints", 1),
    });
}

/// What the value domain is told.
pub(crate) fn value_options(config: &Config) -> ValueOptions {
    ValueOptions {
        symbolic: config.domain == DomainChoice::Symbolic,
        check_at: config.check_at,
        coverage: config.coverage,
        constraint_precision: config.constraint_precision,
        definite: config.definite,
        // Loops and activations remember symbols.
        keep_equations: config.domain == DomainChoice::Induction,
        simplify_constraints: config.simplify_constraints,
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

pub(crate) fn translate(reason: Unfinished) -> UnknownReason {
    match &reason {
        Unfinished::Stopped(reason) => UnknownReason::Stopped(*reason),
        Unfinished::Unresolved(obstacles) => UnknownReason::of_obstacles(obstacles),
        Unfinished::Rejected(Defect::Endless(_)) => {
            UnknownReason::Imprecise("the program may run for ever, and memory may be lost on the way".to_string())
        }
        Unfinished::Rejected(Defect::CutCall(_)) => {
            UnknownReason::Bound("calls nested deeper than `call-depth` are not followed".to_string())
        }
        Unfinished::Rejected(defect) => UnknownReason::Internal(format!("the proof was rejected: {defect}")),
        Unfinished::Broken(_) => UnknownReason::Imprecise(reason.to_string()),
        Unfinished::StateLimit(_) | Unfinished::RefinementLimit(_) => UnknownReason::Bound(reason.to_string()),
    }
}

/// The bit-precise check with replay, as refinement asks for it.
pub(crate) struct Check<'p> {
    pub checker: PathChecker<'p>,
}

impl<D: Domain> PathCheck<D> for Check<'_> {
    type Evidence = Confirmed;

    fn check(&mut self, _: &mut D::Worker, path: &TargetPath<'_, '_, D>) -> PathAnswer<Confirmed> {
        let target = match &path.kind {
            TargetKind::Property(target) => *target,
            TargetKind::Unresolved(reason) => return PathAnswer::Unknown(Obstacle::imprecise(&**reason)),
            // The path ends in the construct, so no target is compared.
            TargetKind::Unsupported(_) => assay_cfa::Target::UnreachCall,
        };
        match self.checker.check(&path.steps, target) {
            PathVerdict::Confirmed(counterexample) => PathAnswer::Confirmed(counterexample),
            PathVerdict::Infeasible(core) => PathAnswer::Infeasible { core },
            PathVerdict::Unknown(reason) => match path.environment.cancel.stopped() {
                Some(reason) => PathAnswer::Stopped(reason),
                None => PathAnswer::Unknown(reason),
            },
        }
    }
}

/// For domains that are not refined: paths are confirmed or stay unresolved.
pub(crate) struct CheckOnly<'p> {
    pub check: Check<'p>,
}

impl<D: Domain> Refiner<D> for CheckOnly<'_> {
    type Evidence = Confirmed;

    fn refine(&mut self, worker: &mut D::Worker, path: &TargetPath<'_, '_, D>, _: &mut D::Precision) -> Refinement<Confirmed> {
        match self.check.check(worker, path) {
            PathAnswer::Confirmed(evidence) => Refinement::Feasible(evidence),
            PathAnswer::Infeasible { .. } => {
                Refinement::Unresolved(Obstacle::imprecise("a path to the target is infeasible, and the domain cannot see it"))
            }
            PathAnswer::Unknown(reason) => Refinement::Unresolved(reason),
            PathAnswer::Stopped(reason) => Refinement::Stopped(reason),
        }
    }
}
