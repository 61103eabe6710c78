//! Predicates beside values: what is equal to constants is followed path by path, and only what is not needs
//! predicates.
//!
//! A path that only the abstraction allows is refuted by values where they can, and by predicates where they cannot.
//! Values that grow from what they were come last: tracking a counter unrolls its loop. Where predicates do not get on
//! either, there may be few rounds, and such values are tracked after all.
//!
//! Values split states that regions keep together. Where they refute hardly any path, or exploration loses its
//! patience, it begins again with the predicates that were found and without values.

use super::{PredicateRefiner, Spurious, blocks, domain, exploration, note_large_blocks, one_path, only_what_predicates_prove, refiner};
use crate::facts::UnitFacts;
use crate::menu::refine_options;
use crate::reported::Reported;
use crate::run::{Check, Confirmed, Run};
use assay_base::{FastMap, FastSet, Obstacle, Stats, StopReason};
use assay_cfa::classify::Classification;
use assay_cfa::{Operation, Program, VarId};
use assay_cpa::product::ProductWorker;
use assay_cpa::{Domain, Order, PrecisionScope, Product, Refinement, Refiner, TargetPath, WaitOrder};
use assay_domains::predicate::{PredicateDomain, PredicatePrecision, PredicateState};
use assay_domains::value::{ValueDomain, ValuePrecision, ValueWorker};
use assay_refine::{Alone, DomainRefiner, Growth};
use assay_results::Outcome;
use assay_term::{Op, Terms};
use std::sync::Arc;

/// The first component is asked first, and a step that it refutes costs no formula.
type Both<'p> = Product<ValueDomain<'p>, PredicateDomain<'p>>;

/// Runs values and predicates side by side.
pub(crate) fn run(run: &Run<'_>, terms: &Arc<Terms>) -> Outcome {
    let mut values = run.value_domain(terms);
    // A value is known from where it is assigned on; the scope of the configuration is for predicates.
    values.options.scope = PrecisionScope::Global;
    let mut refine = refine_options(run.config);
    refine.interpolation.scope = PrecisionScope::Global;
    let product: Both<'_> = Product::new(values, domain(run, terms.clone()));
    let classes = Classification::of(run.structure);
    let facts = UnitFacts { program: run.program, terms };
    let values = DomainRefiner::new(refine, &facts, &classes, run.check());
    let growing = growing(run.program, terms);
    let exploration = exploration(run);
    let mut refiner = BothRefiner {
        values,
        predicates: refiner(run),
        growing,
        avoided: 0,
        order: exploration.order,
        by_values: 0,
        by_predicates: 0,
        without_values: false,
    };
    let mut outcome = run.explore(&product, exploration, &mut refiner);
    refiner.predicates.add_to(&mut outcome.statistics);
    note_large_blocks(run, &product.second);
    outcome.statistics.add("refinement: by values", refiner.by_values);
    outcome.statistics.add("refinement: by predicates", refiner.by_predicates);
    outcome.statistics.add("refinement: values given up", u64::from(refiner.without_values));
    only_what_predicates_prove(run, outcome)
}

impl Reported for Both<'_> {
    fn statistics(&self, worker: &Self::Worker, precision: Option<&Self::Precision>, stats: &mut Stats) {
        self.first.statistics(&worker.first, precision.map(|both| &both.0), stats);
        self.second.statistics(&worker.second, precision.map(|both| &both.1), stats);
    }
}

/// So often predicates are tried first where values would have to grow.
const PATIENCE: u32 = 12;

/// After so many paths that only predicates refuted.
const ALONE: u64 = 2;

/// After so many paths that predicates refuted, and a share of them that values did, these are given up.
const ENOUGH: u64 = 10;
const SHARE: u64 = 5;

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
}

impl<'p> Refiner<Both<'p>> for BothRefiner<'_> {
    type Evidence = Confirmed;

    fn refine(
        &mut self,
        worker: &mut ProductWorker<ValueDomain<'p>, PredicateDomain<'p>>,
        path: &TargetPath<'_, '_, Both<'p>>,
        precision: &mut (ValuePrecision, PredicatePrecision),
    ) -> Refinement<Confirmed> {
        let Some(states) = path.states.iter().map(|state| state.map(|both| &both.1)).collect::<Option<Vec<&PredicateState>>>() else {
            return Refinement::Unresolved(Obstacle::stuck("a path has no states"));
        };
        let Some(blocks) = blocks(&states) else { return Refinement::Unresolved(Obstacle::stuck("a path has no blocks")) };
        let spurious = match self.predicates.search(&mut worker.second, path, blocks, &path.domain.second, &precision.1) {
            Ok(spurious) => spurious,
            Err(answer) => return answer,
        };
        if !self.without_values {
            match self.by_values(&mut worker.first, path, &spurious, &mut precision.0, self.avoided < PATIENCE) {
                Err(reason) => return Refinement::Stopped(reason),
                Ok(Some(answer)) => return answer,
                Ok(None) => {}
            }
        }
        let answer = self.predicates.extend(&mut worker.second, path, &spurious, &path.domain.second, &mut precision.1);
        if matches!(answer, Refinement::Infeasible { grew: true, .. } | Refinement::GivenUp(_) | Refinement::Stopped(_)) {
            self.by_predicates += 1;
            let hardly = self.by_predicates >= ENOUGH && self.by_values * SHARE <= self.by_predicates;
            if hardly && self.by_values > 0 && !self.without_values && matches!(answer, Refinement::Infeasible { .. }) {
                precision.0 = self.give_up_values(&path.domain.first);
                return Refinement::Infeasible { cut: 0, grew: true };
            }
            return answer;
        }
        match self.by_values(&mut worker.first, path, &spurious, &mut precision.0, false) {
            Err(reason) => Refinement::Stopped(reason),
            Ok(Some(better)) => better,
            Ok(None) => answer,
        }
    }

    /// Where no value has refuted anything, exploration is that of predicates alone: the order of the configuration
    /// follows one combination of values after the other, and there are none.
    fn order(&self) -> Option<WaitOrder> {
        let alone = self.without_values || self.by_values == 0 && self.by_predicates >= ALONE;
        Some(WaitOrder { base: if alone { Order::ReversePostorder } else { self.order.base }, ..self.order })
    }

    fn last_resort(
        &mut self,
        domain: &Both<'p>,
        precision: &(ValuePrecision, PredicatePrecision),
    ) -> Option<(ValuePrecision, PredicatePrecision)> {
        (!self.without_values).then(|| (self.give_up_values(&domain.first), precision.1.clone()))
    }
}

impl BothRefiner<'_> {
    /// The precision without values.
    fn give_up_values(&mut self, values: &ValueDomain<'_>) -> ValuePrecision {
        self.without_values = true;
        values.initial_precision()
    }

    /// Tracks values that refute the path, if there are some that are not tracked yet.
    fn by_values<'p>(
        &mut self,
        worker: &mut ValueWorker,
        path: &TargetPath<'_, '_, Both<'p>>,
        spurious: &Spurious<'_>,
        precision: &mut ValuePrecision,
        avoid: bool,
    ) -> Result<Option<Refinement<Confirmed>>, StopReason> {
        let one = one_path(path, &path.domain.first, &spurious.steps);
        let growing = &self.growing;
        let cut = match self.values.refute_alone(worker, &one, precision, &|variable| avoid && growing.contains(&variable))? {
            Alone::Refuted(Growth { cut, grew: true }) => cut,
            Alone::Avoided => {
                self.avoided += 1;
                return Ok(None);
            }
            _ => return Ok(None),
        };
        self.by_values += 1;
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
        Ok(Some(Refinement::Infeasible { cut: position, grew: true }))
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
