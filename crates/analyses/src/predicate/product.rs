//! Predicates beside values: what is equal to constants is followed path by path, and only what is not needs
//! predicates.
//!
//! A path that only the abstraction allows is refuted by values where they can, and by predicates where they cannot.
//! Values that grow from what they were come last: tracking a counter unrolls its loop. Where predicates do not get on
//! either, there may be few iterations, and such values are tracked after all.
//!
//! Values split states that regions keep together; so do addresses, which value analysis remembers whatever its
//! precision is. It therefore sleeps until values refute a path, and exploration is that of predicates. Where they
//! refute hardly any path, or exploration loses its patience, a run of predicates alone begins: what was found beside
//! values may be far more than that needs. It loses its patience sooner where predicates do a good part of the
//! work: they may do all of it with fewer states.

use super::{PredicateRefiner, Spurious, blocks, conclude, domain, exploration, one_path, refiner};
use crate::facts::UnitFacts;
use crate::menu::refine_options;
use crate::reported::Reported;
use crate::run::{Check, Confirmed, Run};
use assay_base::{Decision, FastMap, FastSet, Obstacle, ObstacleKind, Stats, StopReason};
use assay_cfa::classify::Classification;
use assay_cfa::{Operation, Program, VarId};
use assay_cpa::optional::OptionalWorker;
use assay_cpa::product::ProductWorker;
use assay_cpa::{Domain, Optional, Order, PrecisionScope, Product, Refinement, Refiner, TargetPath, WaitOrder};
use assay_domains::predicate::{PredicateDomain, PredicatePrecision, PredicateState};
use assay_domains::value::{ValueDomain, ValuePrecision};
use assay_refine::{Alone, DomainRefiner, Growth};
use assay_results::{Outcome, Verdict};
use assay_term::{Op, Terms};
use std::sync::Arc;

/// The first component is asked first, and a step that it refutes costs no formula.
type Both<'p> = Product<Optional<ValueDomain<'p>>, PredicateDomain<'p>>;

/// Runs values and predicates side by side.
pub(crate) fn run(run: &Run<'_>, terms: &Arc<Terms>) -> Outcome {
    let mut values = run.value_domain(terms);
    // A value is known from where it is assigned on; the scope of the configuration is for predicates.
    values.options.scope = PrecisionScope::Global;
    let mut refine = refine_options(run.config);
    refine.interpolation.scope = PrecisionScope::Global;
    let product: Both<'_> = Product::new(Optional::asleep(values), domain(run, terms.clone()));
    let classes = Classification::of(run.structure);
    let facts = UnitFacts { program: run.program, terms };
    let values = DomainRefiner::new(refine, &facts, &classes, run.check());
    let growing = growing(run.program, terms);
    let mut exploration = exploration(run);
    let mut refiner = BothRefiner {
        values,
        predicates: refiner(run),
        growing,
        avoided: 0,
        order: exploration.order,
        by_values: 0,
        by_predicates: 0,
        without_values: false,
        lost_patience: false,
    };
    exploration.order = refiner.best_order();
    let mut outcome = run.explore(&product, exploration, &mut refiner);
    refiner.predicates.add_to(&mut outcome.statistics);
    outcome.statistics.add("refinement: by values", refiner.by_values);
    outcome.statistics.add("refinement: by predicates", refiner.by_predicates);
    outcome.statistics.add("refinement: values given up", u64::from(refiner.without_values));
    let mut outcome = conclude(run, &product.second, outcome);
    if let Verdict::Unknown(obstacle) = &mut outcome.verdict
        && refiner.without_values
        && !obstacle.kind.is_stop()
        && obstacle.kind != ObstacleKind::LargeBlocks
    {
        obstacle.kind = ObstacleKind::IdleValues;
    }
    outcome
}

impl Reported for Both<'_> {
    fn statistics(&self, worker: &Self::Worker, precision: Option<&Self::Precision>, stats: &mut Stats) {
        if let (Some(values), Some(worker)) = (&self.first.domain, &worker.first.inner) {
            values.statistics(worker, precision.and_then(|both| both.0.as_ref()), stats);
        }
        self.second.statistics(&worker.second, precision.map(|both| &both.1), stats);
    }
}

/// So often predicates are tried first where values would have to grow.
const PATIENCE: u32 = 12;

/// After so many paths that predicates refuted, and a share of them that values did, these are given up.
const ENOUGH: u64 = 10;
const SHARE: u64 = 5;

/// Where predicates refuted a path for so many that values did, or more, patience is this part of the configured one.
const MIXED: u64 = 2;
const LESS: u64 = 3;

struct BothRefiner<'r> {
    values: DomainRefiner<'r, UnitFacts<'r>, Check<'r>>,
    predicates: PredicateRefiner<'r>,
    growing: FastSet<VarId>,
    /// How often values were passed over because they grow.
    avoided: u32,
    /// Of the configuration.
    order: WaitOrder,
    /// How many paths each of the two refuted.
    by_values: u64,
    by_predicates: u64,
    /// Values were given up.
    without_values: bool,
    /// They were given up because exploration took too long with them.
    lost_patience: bool,
}

impl<'p> Refiner<Both<'p>> for BothRefiner<'_> {
    type Evidence = Confirmed;

    fn refine(
        &mut self,
        worker: &mut ProductWorker<Optional<ValueDomain<'p>>, PredicateDomain<'p>>,
        path: &TargetPath<'_, '_, Both<'p>>,
        precision: &mut (Option<ValuePrecision>, PredicatePrecision),
    ) -> Decision<Confirmed, Refinement> {
        if self.lost_patience {
            return given_up();
        }
        let Some(states) = path.states.iter().map(|state| state.map(|both| &both.1)).collect::<Option<Vec<&PredicateState>>>() else {
            return Decision::Open(Obstacle::stuck("a path has no states"));
        };
        let Some(blocks) = blocks(&states) else { return Decision::Open(Obstacle::stuck("a path has no blocks")) };
        let spurious = match self.predicates.search(&mut worker.second, path, blocks, &path.domain.second, &precision.1) {
            Ok(spurious) => spurious,
            Err(answer) => return answer,
        };
        if !self.without_values {
            match self.by_values(&mut worker.first, path, &spurious, &mut precision.0, self.avoided < PATIENCE) {
                Err(reason) => return Decision::Open(Obstacle::stopped(reason)),
                Ok(Some(answer)) => return answer,
                Ok(None) => {}
            }
        }
        let answer = self.predicates.extend(&mut worker.second, path, &spurious, &path.domain.second, &mut precision.1);
        let refutes = matches!(answer, Decision::Infeasible(Refinement::Extended { grew: true, .. }));
        if refutes || matches!(&answer, Decision::Open(obstacle) if !obstacle.kind.is_of_a_target()) {
            self.by_predicates += 1;
            let hardly = self.by_predicates >= ENOUGH && self.by_values * SHARE <= self.by_predicates;
            if hardly && self.by_values > 0 && !self.without_values && refutes {
                self.without_values = true;
                return given_up();
            }
            return answer;
        }
        if self.without_values {
            return answer;
        }
        match self.by_values(&mut worker.first, path, &spurious, &mut precision.0, false) {
            Err(reason) => Decision::Open(Obstacle::stopped(reason)),
            Ok(Some(better)) => better,
            Ok(None) => answer,
        }
    }

    fn order(&self) -> Option<WaitOrder> {
        Some(self.best_order())
    }

    fn patience(&self, configured: u64) -> u64 {
        match self.by_values {
            // There is nothing to give up.
            0 => u64::MAX,
            values if self.by_predicates * MIXED >= values => configured / LESS,
            _ => configured,
        }
    }

    fn last_resort(
        &mut self,
        domain: &Both<'p>,
        _: &(Option<ValuePrecision>, PredicatePrecision),
    ) -> Option<(Option<ValuePrecision>, PredicatePrecision)> {
        if self.without_values {
            return None;
        }
        // The next path ends the run, and it is found soon where nothing is tracked.
        (self.without_values, self.lost_patience) = (true, true);
        Some((None, domain.second.initial_precision()))
    }
}

/// A run without values begins anew: predicates that were found beside values would be in its diagrams.
fn given_up<E>() -> Decision<E, Refinement> {
    Decision::Open(Obstacle::new(ObstacleKind::IdleValues, "values refute hardly any path"))
}

impl BothRefiner<'_> {
    /// As long as no value has refuted anything, exploration is that of predicates alone: the order of the
    /// configuration follows one combination of values after the other, and there are none.
    fn best_order(&self) -> WaitOrder {
        let alone = self.without_values || self.by_values == 0;
        WaitOrder { base: if alone { Order::ReversePostorder } else { self.order.base }, ..self.order }
    }

    /// Tracks values that refute the path, if there are some that are not tracked yet.
    fn by_values<'p>(
        &mut self,
        worker: &mut OptionalWorker<ValueDomain<'p>>,
        path: &TargetPath<'_, '_, Both<'p>>,
        spurious: &Spurious<'_>,
        precision: &mut Option<ValuePrecision>,
        avoid: bool,
    ) -> Result<Option<Decision<Confirmed, Refinement>>, StopReason> {
        let (Some(values), Some(worker)) = (&path.domain.first.domain, &mut worker.inner) else { return Ok(None) };
        let one = one_path(path, values, &spurious.steps);
        let growing = &self.growing;
        let mut extended = precision.clone().unwrap_or_else(|| values.initial_precision());
        let cut = match self.values.refute_alone(worker, &one, &mut extended, &|variable| avoid && growing.contains(&variable))? {
            Alone::Refuted(Growth { cut, grew: true }) => cut,
            Alone::Avoided => {
                self.avoided += 1;
                return Ok(None);
            }
            _ => return Ok(None),
        };
        self.by_values += 1;
        let slept = precision.replace(extended).is_none();
        if slept {
            return Ok(Some(Decision::Infeasible(Refinement::Extended { cut: 0, grew: true })));
        }
        // The path is one of many through the blocks: all states of the block in which values are new are made again.
        let mut before = 0;
        let mut position = 0;
        for (block, steps) in spurious.blocks.iter().zip(&spurious.steps) {
            if before > cut {
                break;
            }
            position = block.position;
            before += steps.len();
        }
        Ok(Some(Decision::Infeasible(Refinement::Extended { cut: position, grew: true })))
    }
}

/// Registers that are computed from what they were before, by arithmetic that can give ever new values: through other
/// registers too.
fn growing(program: &Program, terms: &Terms) -> FastSet<VarId> {
    // Who is computed from whom, and whether by such arithmetic.
    let mut uses: FastMap<VarId, Vec<(VarId, bool)>> = FastMap::default();
    for edge in program.edges.iter() {
        if let Operation::Assign { target, value } = &edge.operation {
            let mut computed = false;
            terms.post_order([*value], |_, node| {
                computed |= matches!(node.op, Op::Add | Op::Mul | Op::ShiftLeft | Op::FAdd | Op::FSub | Op::FMul)
            });
            let read = terms.free_symbols(*value).into_iter().filter_map(|symbol| program.variable_of(symbol));
            uses.entry(*target).or_default().extend(read.map(|variable| (variable, computed)));
        }
    }
    let grows = |start: VarId| {
        let mut seen: FastSet<(VarId, bool)> = FastSet::default();
        let mut work = vec![(start, false)];
        while let Some((at, computed)) = work.pop() {
            for &(next, more) in uses.get(&at).map_or(&[][..], Vec::as_slice) {
                let step = (next, computed || more);
                if step == (start, true) {
                    return true;
                }
                if seen.insert(step) {
                    work.push(step);
                }
            }
        }
        false
    };
    uses.keys().copied().filter(|&variable| grows(variable)).collect()
}
