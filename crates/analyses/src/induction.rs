//! k-induction: deeper and deeper, until the proof holds, a violation is confirmed, or the time is over.

use crate::reported::Reported;
use crate::run::{CheckOnly, Confirmed, Run};
use crate::{invariants, suggestions};
use assay_base::{Decision, Gauge, Obstacle, Stats};
use assay_cpa::{
    CallStacks, CegarConfig, Domain, Environment, Exploration, ExploreConfig, LocationOrders, Monitoring, Refinement, Refiner, TargetPath,
};
use assay_domains::induction::{Bounds, InductionDomain, InductionPrecision, Suggestions, interval_bounds};
use assay_domains::interval::IntervalDomain;
use assay_domains::value::{ValueDomain, ValueWorker};
use assay_results::{Invariant, Outcome};
use assay_term::Terms;
use std::sync::Arc;

/// Runs induction on a program.
pub(crate) fn run(run: &Run<'_>, terms: Arc<Terms>) -> Outcome {
    let (config, program) = (run.config, run.program);
    // What recursion releases in activations that were skipped leaves no trace in a state.
    if program.questions.about_memory() && run.surgery.cut.is_some() {
        return Outcome::unknown(Obstacle::nothing_to_do("cutting recursion proves nothing about memory"));
    }
    let stacks = CallStacks::new(Some(config.call_depth));
    let orders = LocationOrders::new(program);
    let (ledger, cancel) = (run.context.ledger, run.context.cancel);
    let environment = Environment { program, stacks: &stacks, orders: &orders, ledger, cancel };
    let intervals = IntervalDomain::new(program, &terms, run.structure.loops());
    // Ways past recursive calls are nothing that intervals know of.
    let bounds = match run.surgery.cut {
        Some(_) => Bounds::default(),
        None => interval_bounds(environment, &intervals, config.narrowing),
    };
    let values = ValueDomain::new(program, terms.clone(), run.value_options(true), cancel);
    let mut refiner = Retraction { check: CheckOnly { check: run.check() } };
    let mut stats = Stats::default();
    let mut last = Obstacle::bound(format!("more than {} iterations of loops", config.max_rounds));
    for depth in 0..=config.max_rounds {
        cancel.meter().set(Gauge::Bound, u64::from(depth));
        // What others found since the last depth; a changed program has other places.
        let changed = run.surgery.cut.is_some() || !run.surgery.arrays.is_empty();
        let suggested = if changed { Suggestions::default() } else { suggestions::of(run.context.findings, program, &terms, &mut stats) };
        let domain = InductionDomain::new(&values, run.structure, &bounds, run.surgery, &suggested, depth);
        let explore = ExploreConfig { order: config.wait_order(false), cover_at_joins: true, ..ExploreConfig::default() };
        let exploration = Exploration::new(environment, &domain, explore, domain.initial_precision());
        // The first path that cannot be confirmed shows that this depth does not suffice.
        let once = CegarConfig { max_unresolved: 1, monitoring: Monitoring::Off, ..CegarConfig::default() };
        let (mut outcome, remains) = run.attempt(exploration, once, &mut refiner, &mut stats);
        stats.max("rounds unrolled", u64::from(depth));
        if let Some(obstacle) = outcome.verdict.obstacle().filter(|obstacle| obstacle.kind.is_of_a_target()) {
            last = obstacle.clone();
            // Without loops, the next depth is the same.
            if run.structure.loops().loops.is_empty() {
                break;
            }
            continue;
        }
        run.leave(remains);
        outcome.statistics = stats;
        return outcome;
    }
    let mut outcome = Outcome::unknown(last);
    outcome.statistics = stats;
    outcome
}

/// Takes candidates for invariants that do not hold out of the precision; other paths are confirmed or stay unresolved.
struct Retraction<'p> {
    check: CheckOnly<'p>,
}

impl<'d, 'p> Refiner<InductionDomain<'d, 'p>> for Retraction<'_> {
    type Evidence = Confirmed;

    fn refine(
        &mut self,
        worker: &mut ValueWorker,
        path: &TargetPath<'_, '_, InductionDomain<'d, 'p>>,
        precision: &mut InductionPrecision,
    ) -> Decision<Confirmed, Refinement> {
        match path.states.last() {
            Some(Some(state)) if precision.retract(state) => Decision::Infeasible(Refinement::Retracted),
            _ => self.check.refine(worker, path, precision),
        }
    }
}

impl Reported for InductionDomain<'_, '_> {
    fn statistics(&self, worker: &ValueWorker, precision: Option<&InductionPrecision>, stats: &mut Stats) {
        if let Some(precision) = precision {
            let failed = self.initial_precision().len() - precision.len();
            stats.max("candidates for invariants that failed", failed as u64);
        }
        stats.merge(&worker.stats);
        stats.merge(&worker.solver.stats());
    }

    fn invariants(exploration: &Exploration<'_, Self>) -> Vec<Invariant> {
        invariants::of_induction(exploration.domain, &exploration.precision)
    }
}
