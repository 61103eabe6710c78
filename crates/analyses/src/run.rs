//! Runs one configured analysis: domain, exploration and refinement put together, and the verdict drawn.

use crate::config::{Config, ConfigError, DomainChoice};
use crate::facts::UnitFacts;
use crate::invariants;
use crate::path_check::{PathChecker, PathVerdict};
use assay_base::Stats;
use assay_cfa::Program;
use assay_cpa::{
    CallStacks, Cegar, CegarConfig, CegarOutcome, Domain, Environment, Exploration, ExploreConfig, LocationOrders, TargetKind, TargetPath,
    UnknownReason as Unfinished,
};
use assay_domains::value::{ValueDomain, ValueOptions};
use assay_refine::{DomainRefiner, InterpolationOptions, NoScores, PathAnswer, PathCheck, RefineOptions};
use assay_results::{Analysis, Counterexample, Outcome, Progress, RunContext, UnknownReason};
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
        let mut outcome = match self.config.domain {
            DomainChoice::Value | DomainChoice::Symbolic => run_value(&self.config, program, context),
        };
        if let Some(reason) = context.cancel.stopped()
            && matches!(outcome.verdict, assay_results::Verdict::Unknown(_))
        {
            outcome.verdict = Outcome::stopped(reason).verdict;
        }
        outcome.sealed(context.ledger, &program.assumptions)
    }
}

fn run_value(config: &Config, program: &Program, context: &RunContext<'_>) -> Outcome {
    let terms = Arc::new(Terms::overlay(program.terms.clone()));
    let options = ValueOptions {
        symbolic: config.domain == DomainChoice::Symbolic,
        check_at: config.check_at,
        coverage: config.coverage,
        initial: config.initial,
        scope: config.scope,
        max_term_size: config.max_term_size,
        solver_time: config.solver_time,
    };
    let domain = ValueDomain::new(program, terms.clone(), options, context.cancel);
    let stacks = CallStacks::new(Some(config.call_depth));
    let orders = LocationOrders::new(program);
    let environment = Environment { program, stacks: &stacks, orders: &orders, ledger: context.ledger, cancel: context.cancel };
    let explore = ExploreConfig { order: config.order, ..ExploreConfig::default() };
    let exploration = Exploration::new(environment, &domain, explore, domain.initial_precision());
    let cegar = CegarConfig { restart: config.restart, ..CegarConfig::default() };
    let mut cegar = Cegar::new(exploration, cegar);
    let mut worker = domain.worker();
    let facts = UnitFacts { program, terms: &terms };
    let refine = RefineOptions {
        interpolation: InterpolationOptions { order: config.forget_order, scope: config.scope, ..Default::default() },
        delegate_to_values: config.delegate,
        preference: config.preference.clone(),
        max_prefixes: config.max_prefixes,
        seed: config.seed,
    };
    let checker = PathChecker::new(program, context.cancel, config.path_time);
    let mut refiner = DomainRefiner::new(refine, &facts, &NoScores, Check { checker });
    context.progress.report(&Progress { phase: &config.name, ..Progress::default() });
    let outcome = cegar.run(&mut worker, &mut refiner);
    let mut stats = Stats::default();
    cegar.exploration.counters.add_to(&mut stats);
    cegar.counters.add_to(&mut stats);
    refiner.counters.add_to(&mut stats);
    stats.merge(&worker.stats);
    stats.merge(&worker.solver.stats());
    let mut result = match outcome {
        CegarOutcome::Safe(_) => Outcome::proof(invariants::of_exploration(program, &terms, &cegar.exploration)),
        CegarOutcome::Violation { evidence, .. } => Outcome::violation(*evidence),
        CegarOutcome::Unknown(reason) => Outcome::unknown(translate(reason)),
    };
    result.statistics = stats;
    result
}

fn translate(reason: Unfinished) -> UnknownReason {
    match reason {
        Unfinished::Stopped(reason) => UnknownReason::Stopped(reason),
        Unfinished::Unresolved(reasons) => UnknownReason::Unconfirmed(reasons.join("; ")),
        Unfinished::Rejected(defect) => UnknownReason::Internal(format!("the proof was rejected: {defect}")),
        other => UnknownReason::GaveUp(other.to_string()),
    }
}

/// The bit-precise check with replay, as refinement asks for it.
struct Check<'p> {
    checker: PathChecker<'p>,
}

impl<D: Domain> PathCheck<D> for Check<'_> {
    type Evidence = Box<Counterexample>;

    fn check(&mut self, _: &mut D::Worker, path: &TargetPath<'_, '_, D>) -> PathAnswer<Box<Counterexample>> {
        let target = match &path.kind {
            TargetKind::Property(target) => *target,
            TargetKind::Unresolved(reason) => return PathAnswer::Unknown(reason.to_string()),
            _ => return PathAnswer::Unknown("a construct that is not supported".to_string()),
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
