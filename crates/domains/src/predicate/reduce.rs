//! Memoization of blocks: regions without the predicates that a block cannot see, and these put back.
//!
//! Blocks of memoization begin and end with abstractions ([`PredicateDomain::with_borders`]), so that only regions are
//! cut and put together. A predicate is *seen* by a block if it speaks of memory, or of a register that the block can
//! touch; others are left out of its entry and of its precision. What speaks only of things that the block does not
//! write holds behind it as before it, whether it was seen or not.
//!
//! Frames of callers are cut where nothing in memory belongs to them and no predicate inside the block speaks of their
//! locals (which the domain remembers when a predicate is tracked). Recursive programs are not memoized: predicates
//! tell activations of one function apart by counting them from the bottom, and a block does not know where that is.

use super::PredicatePrecision;
use super::domain::{PredicateDomain, PredicateWorker};
use super::predicates::{Predicate, PredicateId};
use super::state::PredicateState;
use assay_base::hash::mix;
use assay_base::{ByteReader, ByteWriter, FastSet, Fingerprint};
use assay_cfa::portable::Names;
use assay_cfa::{FunctionId, Scope, VarId};
use assay_cpa::Position;
use assay_formula::{Stable, StableObject};
use assay_memo::{BlockScope, NoRule, Reduce};
use biodivine_lib_bdd::{Bdd, BddPartialValuation, BddVariable};

impl PredicateDomain<'_> {
    fn local_of(&self, variable: VarId) -> Option<FunctionId> {
        match self.program.variables[variable].scope {
            Scope::Local(function) => Some(function),
            Scope::Global => None,
        }
    }

    /// Whether the block can tell which truth value the predicate has.
    fn is_seen(&self, block: &BlockScope<'_>, predicate: &Predicate) -> bool {
        predicate.symbols.iter().any(|&(_, _, stable)| match stable {
            Stable::Register { variable, .. } => block.touches(variable),
            _ => true,
        })
    }

    /// Whether the predicate has the same truth value behind the block as before it.
    fn is_unchanged(&self, block: &BlockScope<'_>, predicate: &Predicate) -> bool {
        let effects = &block.block.effects;
        let writes = |variable: VarId| {
            effects.touches_everything
                || effects.writes.binary_search_by_key(&variable.0, |v| v.0).is_ok()
                || self.local_of(variable).is_some_and(|function| block.callees.contains(&function))
        };
        // An object of the block's own function may be another one behind it.
        let lasts = |variable: VarId| !writes(variable) && self.local_of(variable) != Some(block.block.function);
        let is_memory = |variable: &VarId| self.program.variables[*variable].register_width().is_none();
        // A write outside of its object may be to any other.
        let writes_memory = || effects.writes_unknown_memory || effects.allocates || effects.writes.iter().any(is_memory);
        predicate.symbols.iter().all(|&(_, _, stable)| match stable {
            Stable::Register { variable, .. } => !writes(variable),
            Stable::Base(StableObject::Variable { variable, .. }) => lasts(variable) || self.local_of(variable).is_none(),
            Stable::Cell { object: StableObject::Variable { variable, .. }, .. }
            | Stable::Array { object: StableObject::Variable { variable, .. }, .. } => lasts(variable) && !writes_memory(),
            _ => false,
        })
    }

    /// A region without the predicates that are not chosen.
    fn projected(&self, region: &Bdd, chosen: impl Fn(&Predicate) -> bool) -> Bdd {
        let gone = |variable: &BddVariable| !chosen(&self.predicates.get(PredicateId(variable.to_index() as u16)));
        let gone: Vec<BddVariable> = region.support_set().into_iter().filter(gone).collect();
        if gone.is_empty() { region.clone() } else { region.exists(&gone) }
    }

    /// What is known at the start of the program of things that the block does not write.
    fn initially(&self, outer: &PredicateState, block: &BlockScope<'_>) -> Bdd {
        let encoder = self.encoder();
        let mut cube = BddPartialValuation::empty();
        for id in (0..self.predicates.len()).map(|index| PredicateId(index as u16)) {
            let predicate = self.predicates.get(id);
            if self.is_unchanged(block, &predicate)
                && let Some(term) = predicate.at(&encoder, &outer.at.start.formula)
                && let Some(bits) = self.terms.as_constant(term)
            {
                cube.set_value(id.variable(), bits.is_true());
            }
        }
        self.predicates.diagrams.mk_conjunctive_clause(&cube)
    }

    /// The functions of which predicates inside the block speak although it does not execute them.
    fn spoken_of(&self, block: &BlockScope<'_>) -> FastSet<FunctionId> {
        let spoken = self.spoken.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        let inside = spoken.iter().filter(|(place, _)| place.is_none_or(|function| block.executes_in(function)));
        inside.flat_map(|(_, functions)| functions.iter().copied()).collect()
    }
}

impl Reduce for PredicateDomain<'_> {
    type Rule = NoRule;

    fn reduce(&self, _: &mut PredicateWorker, state: &PredicateState, block: &BlockScope<'_>) -> PredicateState {
        // The start of the program is known exactly, and only one block begins there.
        if state.at.initial || !state.is_abstraction() {
            return state.clone();
        }
        let spoken = self.spoken_of(block);
        let everything = block.block.effects.touches_everything;
        let keeps = |function: FunctionId| everything || spoken.contains(&function);
        let formula = self.encoder().cut(&state.at.start.formula, &keeps, &|variable| block.touches(variable));
        let region = self.projected(&state.at.region, |predicate| self.is_seen(block, predicate));
        self.opened_at(&formula, region, None)
    }

    fn expand(
        &self,
        _: &mut PredicateWorker,
        outer: &PredicateState,
        exit: &PredicateState,
        _: &Position<'_>,
        block: &BlockScope<'_>,
    ) -> Option<PredicateState> {
        // Blocks end with abstractions, but where a construct is not supported; there is no proof then, and nothing to
        // be found behind it.
        if !outer.is_abstraction() || !exit.is_abstraction() {
            return None;
        }
        let kept = match outer.at.initial {
            true => self.initially(outer, block),
            false => self.projected(&outer.at.region, |predicate| self.is_unchanged(block, predicate)),
        };
        let region = kept.and(&exit.at.region);
        if region.is_false() {
            return None;
        }
        let effects = &block.block.effects;
        let unwritten = |variable: VarId| !effects.touches_everything && effects.writes.binary_search_by_key(&variable.0, |v| v.0).is_err();
        // What the block makes, or a local of its own function, may be another object of the same name behind it.
        let lasts = |object: StableObject| match object {
            StableObject::Site(edge) => !block.executes(self.program.edges[edge].source),
            StableObject::Variable { variable, .. } => self.local_of(variable).is_none_or(|function| !block.executes_in(function)),
        };
        let lasts = |object| !effects.touches_everything && lasts(object);
        let formula = self.encoder().restored(&outer.at.start.formula, &exit.at.start.formula, &unwritten, &lasts);
        Some(self.opened_at(&formula, region, None))
    }

    fn reduce_precision(&self, precision: &PredicatePrecision, block: &BlockScope<'_>) -> PredicatePrecision {
        precision.restricted(
            |function| block.executes_in(function),
            |location| block.executes(location),
            |&id| self.is_seen(block, &self.predicates.get(id)),
        )
    }

    fn precision_fingerprint(&self, precision: &PredicatePrecision) -> Fingerprint {
        let low = precision.fingerprint(|id| self.terms.node(self.predicate(*id)).fingerprint);
        let high = precision.fingerprint(|id| mix(u64::from(id.0)));
        Fingerprint(u128::from(low) | u128::from(high) << 64)
    }

    fn write_state(
        &self,
        _: &PredicateState,
        state: &PredicateState,
        names: &Names<'_>,
        block: &BlockScope<'_>,
        out: &mut ByteWriter,
    ) -> Option<()> {
        self.write_portable(state, names, block, out)
    }

    fn read_state(
        &self,
        _: &mut PredicateWorker,
        entry: &PredicateState,
        names: &Names<'_>,
        _: &BlockScope<'_>,
        from: &mut ByteReader<'_>,
    ) -> Option<PredicateState> {
        self.read_portable(entry, names, from)
    }

    fn write_precision(&self, precision: &PredicatePrecision, names: &Names<'_>, out: &mut ByteWriter) -> Option<()> {
        self.write_portable_precision(precision, names, out)
    }

    fn save_precision(&self, precision: &PredicatePrecision, names: &Names<'_>, out: &mut ByteWriter) -> Option<()> {
        self.save(precision, names, out);
        Some(())
    }

    fn restore_precision(&self, names: &Names<'_>, from: &mut ByteReader<'_>) -> Option<(PredicatePrecision, Vec<String>)> {
        self.restore(names, from)
    }
}
