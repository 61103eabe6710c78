//! k-induction: deeper and deeper, until the proof holds, a violation is confirmed, or the time is over.

use crate::invariants;
use crate::run::{CheckOnly, Run, translate};
use assay_base::{Gauge, Stats};
use assay_cpa::{
    CallStacks, Cegar, CegarConfig, CegarOutcome, Domain, Environment, Exploration, ExploreConfig, LocationOrders, Monitoring, Unfinished,
};
use assay_domains::induction::{Bounds, InductionDomain, interval_bounds};
use assay_domains::interval::IntervalDomain;
use assay_domains::value::{ValueDomain, ValuePrecision};
use assay_results::{Outcome, UnknownReason};
use assay_term::Terms;
use std::sync::Arc;

/// Runs induction on a program.
pub fn run(run: &Run<'_>, terms: Arc<Terms>) -> Outcome {
    let (config, program) = (run.config, run.program);
    // What recursion releases in activations that were skipped leaves no trace in a state.
    if program.questions.about_memory() && run.surgery.cut.is_some() {
        return Outcome::unknown(UnknownReason::NothingToDo("cutting recursion proves nothing about memory".to_string()));
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
    let mut refiner = CheckOnly { check: run.check() };
    let mut stats = Stats::default();
    let mut last = Unfinished::RefinementLimit(u64::from(config.max_rounds));
    for depth in 0..=config.max_rounds {
        cancel.meter().set(Gauge::Bound, u64::from(depth));
        let domain = InductionDomain::new(&values, run.structure, &bounds, run.surgery, depth);
        let explore = ExploreConfig { order: config.wait_order(false), cover_at_joins: true, ..ExploreConfig::default() };
        let mut worker = domain.worker();
        let result = loop {
            let failures = domain.failures();
            let exploration = Exploration::new(environment, &domain, explore, ValuePrecision::everything());
            // The first path that cannot be confirmed shows that this depth does not suffice.
            let mut cegar =
                Cegar::new(exploration, CegarConfig { max_unresolved: 1, monitoring: Monitoring::Off, ..CegarConfig::default() });
            let result = cegar.run(&mut worker, &mut refiner);
            cegar.exploration.counters.add_to(&mut stats);
            cegar.counters.add_to(&mut stats);
            let grew = domain.failures() > failures;
            stats.add("explorations", 1);
            match result {
                // An assumption was wrong: again without it.
                CegarOutcome::Safe(_) | CegarOutcome::Unknown(Unfinished::Rejected(_)) if grew => {}
                result => break result,
            }
        };
        stats.max("candidates for invariants that failed", domain.failures() as u64);
        stats.merge(&worker.stats);
        stats.merge(&worker.solver.stats());
        stats.max("rounds unrolled", u64::from(depth));
        let mut outcome = match result {
            CegarOutcome::Safe(_) => Outcome::proof(invariants::of_induction(run.structure, &domain, &bounds)),
            CegarOutcome::Violation { evidence, .. } => Outcome::violation(*evidence),
            CegarOutcome::Unknown(reason @ Unfinished::Unresolved(_)) => {
                last = reason;
                // Without loops, the next depth is the same.
                if run.structure.loops().loops.is_empty() {
                    break;
                }
                continue;
            }
            CegarOutcome::Unknown(reason) => Outcome::unknown(translate(reason)),
        };
        outcome.statistics = stats;
        return outcome;
    }
    let mut outcome = Outcome::unknown(translate(last));
    outcome.statistics = stats;
    outcome
}
