//! Candidates for invariants are assumed or checked where a path arrives.
//!
//! *Watched cells.* A candidate that speaks of some watched offsets has to hold for every choice of them, but the
//! others may be taken to be where the last reads were (or those were outside of the array). For take an execution, and
//! the first time that a candidate fails in it for some choice of the offsets that it speaks of. With these, and with
//! the last reads before that as the others, the new program follows the execution up to there: all that it assumes on
//! the path are candidates, which have not failed before for any choice. So it meets the failure where the last reads
//! were at the offsets that the candidate does not speak of, and there it is looked for. A candidate about registers
//! alone speaks of none.

use super::InductionDomain;
use super::candidates::{Candidate, Met, Spot};
use super::state::Context;
use crate::value::{Implication, ValueSemantics, ValueState, ValueWorker};
use assay_base::{FastMap, FastSet};
use assay_cfa::{EdgeId, LocationId, VarId};
use assay_passes::cells::WatchedArray;
use assay_semantics::state::{Executor, Value};
use assay_smt::{Model, ModelData};
use assay_term::random::Random;
use assay_term::{Bits, SymbolId, Term, Terms};

/// How many variations of a model are tried.
const MOST_VARIATIONS: usize = 12;

/// For each watched offset: the last read was there.
pub(super) struct Beliefs {
    list: Vec<Term>,
    /// The watched offsets that a register belongs to, as bits.
    registers: FastMap<SymbolId, u64>,
}

impl Beliefs {
    pub(super) fn of(terms: &Terms, arrays: &[WatchedArray]) -> Self {
        let read = |register: VarId| terms.symbol(register.symbol());
        let (indices, list): (Vec<VarId>, Vec<Term>) = arrays.iter().flat_map(|array| array.beliefs(terms, read)).take(64).unzip();
        let mut registers = FastMap::default();
        for array in arrays {
            // What was read and where it was read belongs to the whole.
            let others = array.reads.iter().flat_map(|cell| [cell.index, cell.value]).chain([array.offset]);
            registers.extend(others.map(|register| (register.symbol(), u64::MAX)));
            for cell in &array.cells {
                let bit = indices.iter().position(|&index| index == cell.index).map_or(u64::MAX, |position| 1 << position);
                registers.extend([(cell.index.symbol(), bit), (cell.value.symbol(), bit)]);
            }
        }
        Beliefs { list, registers }
    }

    /// The watched offsets that a term speaks of.
    fn spoken_of(&self, terms: &Terms, term: Term) -> u64 {
        terms.free_symbols(term).into_iter().fold(0, |bits, symbol| bits | self.registers.get(&symbol).copied().unwrap_or(0))
    }
}

impl InductionDomain<'_, '_> {
    /// Assumes or checks the candidates for invariants of a loop. `None` where an assumption cannot hold.
    pub(super) fn meet(
        &self,
        worker: &mut ValueWorker,
        met: &mut Met<'_>,
        mut state: ValueState,
        context: &Context,
        edge: EdgeId,
        head: LocationId,
        assume: bool,
    ) -> Option<ValueState> {
        let terms = &*self.values.terms;
        let machine = Executor::new(self.structure.program, terms);
        let mut semantics = ValueSemantics { symbolic: true, log: None };
        let mut conditions = Vec::new();
        let mut guards: FastMap<u64, Term> = FastMap::default();
        for candidate in met.at(Spot::Loop(context.id)) {
            let value = machine.eval(&mut semantics, &mut state.values, candidate.term());
            let mut condition = match candidate {
                Candidate::Holds(_) => value,
                _ => match (context.entry_value(candidate.term()), value) {
                    (before, now) if before == now && now != Value::Unknown => continue,
                    (before, now) => match (self.as_term(before), self.as_term(now)) {
                        (Some(before), Some(now)) => machine.normalise(&state.values, candidate.since(terms, before, now)),
                        _ => Value::Unknown,
                    },
                },
            };
            if !assume && !self.beliefs.list.is_empty() {
                let spoken_of = self.beliefs.spoken_of(terms, candidate.term());
                let guard = *guards.entry(spoken_of).or_insert_with(|| {
                    let beliefs = self.beliefs.list.iter().enumerate().filter(|(n, _)| spoken_of >> n & 1 == 0);
                    beliefs.fold(terms.true_(), |guard, (_, &belief)| {
                        let belief = self.as_term(machine.eval(&mut semantics, &mut state.values, belief));
                        terms.and(guard, belief.unwrap_or(terms.true_()))
                    })
                });
                condition = match condition {
                    Value::Term(condition) => machine.normalise(&state.values, terms.implies(guard, condition)),
                    Value::Known { low, .. } if low & 1 == 1 => condition,
                    _ => machine.normalise(&state.values, terms.not(guard)),
                };
            }
            conditions.push((candidate, condition));
        }
        self.settle(worker, met, state, Spot::Loop(context.id), &conditions, edge, head, assume)
    }

    /// Assumes candidates that have these truth values, or notes those that do not hold. `None` where an assumption
    /// cannot hold.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn settle(
        &self,
        worker: &mut ValueWorker,
        met: &mut Met<'_>,
        state: ValueState,
        spot: Spot,
        conditions: &[(Candidate, Value)],
        edge: EdgeId,
        head: LocationId,
        assume: bool,
    ) -> Option<ValueState> {
        let terms = &*self.values.terms;
        let mut assumed = terms.true_();
        let mut open = Vec::new();
        for &(candidate, condition) in conditions {
            match (condition, assume) {
                (Value::Known { low, .. }, _) if low & 1 == 1 => {}
                (Value::Known { .. }, true) => return None,
                (Value::Term(condition), true) => assumed = terms.and(assumed, condition),
                (_, true) => {}
                (Value::Term(condition), false) => open.push((candidate, condition)),
                (_, false) => met.fail(spot, candidate),
            }
        }
        for candidate in self.failing(worker, &state, open) {
            met.fail(spot, candidate);
        }
        if terms.is_true(assumed) { Some(state) } else { self.values.assume(worker, state, assumed, edge, head) }
    }

    pub(super) fn as_term(&self, value: Value) -> Option<Term> {
        match value {
            Value::Term(term) => Some(term),
            value => value.as_bits().map(|bits| self.values.terms.constant(bits)),
        }
    }

    /// The candidates whose conditions a state does not imply. A model of the path shows of many at once that they
    /// fail, and so do variations of it.
    fn failing(&self, worker: &mut ValueWorker, state: &ValueState, open: Vec<(Candidate, Term)>) -> Vec<Candidate> {
        let mut failing = Vec::new();
        let mut open = Open { terms: &self.values.terms, list: open, random: Random::new(1), path: vec![], symbols: vec![] };
        if open.list.is_empty() {
            return failing;
        }
        state.constraints.terms_into(&mut open.path);
        open.find_symbols();
        if let Some(model) = &state.model {
            open.refute(model, &mut failing);
        }
        while let Some((candidate, condition)) = open.list.pop() {
            match self.values.implication(worker, state, condition) {
                Implication::Holds => {}
                Implication::Fails(model) => {
                    failing.push(candidate);
                    open.refute(&model, &mut failing);
                }
                Implication::Unknown => failing.push(candidate),
            }
        }
        failing
    }
}

/// Candidates of which it is not known yet whether a path implies them.
struct Open<'a> {
    terms: &'a Terms,
    list: Vec<(Candidate, Term)>,
    random: Random,
    path: Vec<Term>,
    /// What the path and the conditions are made of.
    symbols: Vec<(SymbolId, u32)>,
}

impl Open<'_> {
    fn find_symbols(&mut self) {
        let mut seen = FastSet::default();
        let roots: Vec<Term> = self.path.iter().copied().chain(self.list.iter().map(|&(_, condition)| condition)).collect();
        self.terms.post_order(roots, |_, node| {
            let plain = node.op == assay_term::Op::Symbol && !node.sort.is_array() && !node.sort.is_integer();
            if plain && node.width() <= 64 && seen.insert(node.symbol()) {
                self.symbols.push((node.symbol(), node.width()));
            }
        });
    }

    /// Takes out what fails in the model, and in variations of it that are models of the path as well.
    fn refute(&mut self, model: &Model, failing: &mut Vec<Candidate>) {
        self.take_out(model, failing);
        let mut data = model.data().clone();
        for _ in 0..MOST_VARIATIONS {
            if self.list.is_empty() || self.symbols.is_empty() {
                return;
            }
            let varied = Model::from(self.vary(&data));
            if self.path.iter().all(|&constraint| varied.holds(self.terms, constraint) == Some(true)) {
                self.take_out(&varied, failing);
                data = varied.data().clone();
            }
        }
    }

    fn take_out(&mut self, model: &Model, failing: &mut Vec<Candidate>) {
        let fails = |&mut (_, condition): &mut (Candidate, Term)| model.holds(self.terms, condition) == Some(false);
        failing.extend(self.list.extract_if(.., fails).map(|(candidate, _)| candidate));
    }

    /// One to three symbols with other values: any, near what they are, or what another one is.
    fn vary(&mut self, data: &ModelData) -> ModelData {
        let mut varied = data.clone();
        for _ in 0..=self.random.below(3) {
            let (symbol, width) = self.random.pick(&self.symbols);
            let (other, _) = self.random.pick(&self.symbols);
            let value = |symbol| data.symbols.get(&symbol).map_or(0, |bits| bits.value());
            let near = [0u128, 1, 4, 8, u128::MAX, u128::MAX - 3];
            let changed = match self.random.below(4) {
                0 => value(symbol).wrapping_add(self.random.pick(&near)),
                1 => value(other).wrapping_add(self.random.pick(&near)),
                _ => self.random.bits(width).value(),
            };
            varied.symbols.insert(symbol, Bits::new(width, changed));
        }
        varied
    }
}
