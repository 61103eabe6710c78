//! The menu of domains: the one place where a configuration becomes a type, and what a run is told by each domain.

use crate::config::{Config, DomainChoice};
use crate::facts::{ComposedFacts, UnitFacts};
use crate::memoize::Memoized;
use crate::reported::Reported;
use crate::run::{CheckOnly, Confirmed, Run, value_options};
use crate::{induction, invariants, predicate};
use assay_base::Stats;
use assay_cfa::classify::Classification;
use assay_cpa::{Environment, Exploration, ExploreConfig, Merge, Optional, Product, Refinable, Refiner};
use assay_domains::bdd::{BddDomain, BddPrecision};
use assay_domains::interval::{IntervalDomain, IntervalPrecision, narrowed};
use assay_domains::value::{Unit, ValueDomain, ValuePrecision, ValueWorker};
use assay_refine::{DomainRefiner, InterpolationOptions, ItemFacts, RefineOptions};
use assay_results::{Invariant, Outcome};
use assay_term::Terms;
use std::sync::Arc;

/// Values with bounds and decision diagrams beside them; what a configuration leaves out is off.
type Composed<'p> = Product<ValueDomain<'p>, Product<Optional<IntervalDomain<'p>>, Optional<BddDomain<'p>>>>;

/// Explores the program with the domain of the configuration.
pub(crate) fn explore(run: &Run<'_>, terms: Arc<Terms>) -> Outcome {
    let domains = &run.config.domain;
    match domains.first {
        DomainChoice::Value | DomainChoice::Symbolic if domains.has(DomainChoice::Predicate) => predicate::run_beside_values(run, &terms),
        DomainChoice::Value | DomainChoice::Symbolic if !domains.beside.is_empty() => run.composed(&terms),
        DomainChoice::Value | DomainChoice::Symbolic | DomainChoice::Shape => run.value(&terms),
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
        invariants::of_exploration(exploration, |state| state)
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

impl Reported for Composed<'_> {
    by_blocks!();

    fn statistics(&self, worker: &Self::Worker, precision: Option<&Self::Precision>, stats: &mut Stats) {
        self.first.statistics(&worker.first, precision.map(|both| &both.0), stats);
    }

    fn invariants(exploration: &Exploration<'_, Self>) -> Vec<Invariant> {
        invariants::of_exploration(exploration, |state| &state.0)
    }
}

impl Run<'_> {
    pub(crate) fn value_domain(&self, terms: &Arc<Terms>) -> ValueDomain<'_> {
        ValueDomain::new(self.program, terms.clone(), value_options(self.config), self.context.cancel)
    }

    /// Value analysis and symbolic execution, with or without refinement.
    fn value(&self, terms: &Arc<Terms>) -> Outcome {
        let domain = self.value_domain(terms);
        if self.config.merge_constraints {
            // A merged state is on several paths, so refuting one of them says nothing about it.
            return self.check_only(&domain, ExploreConfig { merge: Merge::Agree, ..self.path_by_path() });
        }
        self.refining(&domain, &UnitFacts { program: self.program, terms })
    }

    /// Values with other domains beside them. Without refinement, states of the same values are merged.
    fn composed(&self, terms: &Arc<Terms>) -> Outcome {
        let (config, structure) = (self.config, self.structure);
        let interval = Optional::new(config.domain.has(DomainChoice::Interval), || {
            let domain = IntervalDomain::new(self.program, terms, structure.loops());
            if config.refines() { domain.beginning_with(IntervalPrecision::empty()) } else { domain }
        });
        let bdd = Optional::new(config.domain.has(DomainChoice::Bdd), || {
            let domain = BddDomain::new(structure, terms);
            if config.refines() { domain.beginning_with(BddPrecision::empty()) } else { domain }
        });
        let domain: Composed<'_> = Product::new(self.value_domain(terms), Product::new(interval, bdd));
        if !config.refines() {
            return self.check_only(&domain, ExploreConfig { merge: Merge::Join, cover_at_joins: false, ..self.path_by_path() });
        }
        self.refining(&domain, &ComposedFacts { values: UnitFacts { program: self.program, terms } })
    }

    /// How states that are not merged are explored.
    fn path_by_path(&self) -> ExploreConfig {
        let order = self.config.wait_order(self.is_recursive());
        ExploreConfig { order, cover_at_joins: true, ..ExploreConfig::default() }
    }

    /// Explores path by path; counterexamples extend the precision.
    fn refining<D: Reported + Refinable, F: ItemFacts<D::Item>>(&self, domain: &D, facts: &F) -> Outcome {
        let classes = Classification::of(self.structure);
        let mut refiner = DomainRefiner::new(refine_options(self.config), facts, &classes, self.check());
        let mut outcome = self.explore(domain, self.path_by_path(), &mut refiner);
        refiner.add_to(&mut outcome.statistics);
        outcome.statistics.merge(&refiner.check.checker.stats());
        outcome
    }

    /// Explores; a target that the replay does not confirm stays unresolved.
    fn check_only<D: Reported>(&self, domain: &D, explore: ExploreConfig) -> Outcome {
        let mut refiner = CheckOnly { check: self.check() };
        let mut outcome = self.explore(domain, explore, &mut refiner);
        outcome.statistics.merge(&refiner.check.checker.stats());
        outcome
    }

    /// Domains that join states where paths meet.
    fn merging<D: Reported>(&self, domain: &D) -> Outcome {
        let order = self.config.wait_order(false);
        self.check_only(domain, ExploreConfig { order, merge: Merge::Join, ..ExploreConfig::default() })
    }
}

/// How values are refined.
pub(crate) fn refine_options(config: &Config) -> RefineOptions {
    RefineOptions {
        interpolation: InterpolationOptions { order: config.forget_order, scope: config.scope, ..Default::default() },
        delegate_to_values: config.delegate,
        track_contradictions: config.max_enum > 0 && config.domain.first == DomainChoice::Value,
        preference: config.preference.clone(),
        max_prefixes: config.max_prefixes,
        seed: config.seed,
        trace: config.trace,
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
