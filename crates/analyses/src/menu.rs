//! The menu of domains: the one place where a configuration becomes a type, and what a run is told by each domain.

use crate::config::DomainChoice;
use crate::facts::UnitFacts;
use crate::memoize::Memoized;
use crate::reported::Reported;
use crate::run::{CheckOnly, Confirmed, Run, value_options};
use crate::{induction, invariants, predicate};
use assay_base::Stats;
use assay_cfa::classify::Classification;
use assay_cpa::{Environment, Exploration, ExploreConfig, Merge, Refiner};
use assay_domains::bdd::BddDomain;
use assay_domains::interval::{IntervalDomain, IntervalPrecision, narrowed};
use assay_domains::value::{Unit, ValueDomain, ValuePrecision, ValueWorker};
use assay_refine::{DomainRefiner, InterpolationOptions, RefineOptions};
use assay_results::{Invariant, Outcome};
use assay_term::Terms;
use std::sync::Arc;

/// Explores the program with the domain of the configuration.
pub(crate) fn explore(run: &Run<'_>, terms: Arc<Terms>) -> Outcome {
    match run.config.domain {
        DomainChoice::Value | DomainChoice::Symbolic => run.value(terms),
        DomainChoice::Interval => run.merging(&IntervalDomain::new(run.program, &terms, run.structure.loops())),
        DomainChoice::Bdd => run.merging(&BddDomain::new(run.structure, &terms)),
        DomainChoice::Predicate => predicate::run(run, terms),
        DomainChoice::Induction => induction::run(run, terms),
    }
}

/// For domains that implement `Reduce`.
macro_rules! by_blocks {
    () => {
        fn memoize<R: Refiner<Self, Evidence = Confirmed>>(
            &self,
            run: &Run<'_>,
            environment: Environment<'_>,
            explore: ExploreConfig,
            refiner: &mut R,
            stats: &mut Stats,
        ) -> Option<Memoized<Self::Precision>> {
            Some(run.memoize(environment, self, explore, refiner, stats))
        }
    };
}

impl Reported for ValueDomain<'_> {
    by_blocks!();

    fn statistics(&self, worker: &ValueWorker, precision: Option<&ValuePrecision>, stats: &mut Stats) {
        if let Some(precision) = precision {
            count_tracked(precision, stats);
        }
        stats.merge(&worker.stats);
        stats.merge(&worker.solver.stats());
    }

    fn invariants(exploration: &Exploration<'_, Self>) -> Vec<Invariant> {
        invariants::of_exploration(exploration.environment.program, exploration)
    }
}

impl Reported for IntervalDomain<'_> {
    by_blocks!();

    fn descend(exploration: &Exploration<'_, Self>) -> Option<IntervalPrecision> {
        narrowed(exploration)
    }
}

impl Reported for BddDomain<'_> {
    by_blocks!();
}

impl Run<'_> {
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
        if config.merge_constraints {
            // A merged state is on several paths, so refuting one of them says nothing about it.
            let explore = ExploreConfig { merge: Merge::Agree, ..explore };
            let mut refiner = CheckOnly { check: self.check() };
            let mut outcome = self.explore(&domain, explore, &mut refiner);
            outcome.statistics.merge(&refiner.check.checker.stats());
            return outcome;
        }
        let mut outcome = self.explore(&domain, explore, &mut refiner);
        refiner.counters.add_to(&mut outcome.statistics);
        outcome.statistics.merge(&refiner.check.checker.stats());
        outcome
    }

    /// Domains that join states where paths meet; a target that the replay does not confirm stays unresolved.
    fn merging<D: Reported>(&self, domain: &D) -> Outcome {
        let explore = ExploreConfig { order: self.config.wait_order(false), merge: Merge::Join, ..ExploreConfig::default() };
        let mut refiner = CheckOnly { check: self.check() };
        self.explore(domain, explore, &mut refiner)
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
