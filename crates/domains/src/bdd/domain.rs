//! The domain, and how the framework's questions are put to it.

use super::cases::{CaseValue, Memo};
use super::encoding::Encoding;
use super::precision::BddPrecision;
use super::state::BddState;
use super::transfer::Action;
use assay_base::{FastMap, IdVec};
use assay_cfa::structure::Structure;
use assay_cfa::{EdgeId, Program, VarId};
use assay_cpa::{Adjustment, Domain, Move, Position, Successors, View};
use assay_term::{Bits, Term, Terms};
use std::sync::Arc;

/// Analysis with decision diagrams of the registers that are only copied and compared for equality.
pub struct BddDomain<'a> {
    pub(super) program: &'a Program,
    pub(super) terms: &'a Terms,
    pub(super) encoding: Encoding,
    /// The term that reads each tracked register.
    reads: IdVec<VarId, Option<Term>>,
    precision: BddPrecision,
}

/// What a thread has compiled so far.
#[derive(Default)]
pub struct BddWorker {
    pub(super) memo: Memo,
    pub(super) actions: FastMap<(EdgeId, bool), Arc<Action>>,
}

impl<'a> BddDomain<'a> {
    /// `terms` is the run's overlay on the program's terms.
    pub fn new(structure: &Structure<'a>, terms: &'a Terms) -> Self {
        let program = structure.program;
        let encoding = Encoding::of(structure, terms);
        let reads = program.variables.iter_ids().map(|(id, v)| v.register_width().map(|_| terms.symbol(id.symbol()))).collect();
        BddDomain { program, terms, encoding, reads, precision: BddPrecision::everything() }
    }

    /// The domain that begins with this precision.
    pub fn beginning_with(self, precision: BddPrecision) -> Self {
        BddDomain { precision, ..self }
    }

    /// The registers that are tracked.
    pub fn tracked(&self) -> impl Iterator<Item = VarId> + '_ {
        self.encoding.tracked()
    }

    pub(super) fn read(&self, variable: VarId) -> Option<Term> {
        self.reads[variable]
    }
}

impl Domain for BddDomain<'_> {
    type State = BddState;
    type Precision = BddPrecision;
    type Worker = BddWorker;

    fn worker(&self) -> BddWorker {
        BddWorker::default()
    }

    fn initial(&self, worker: &mut BddWorker) -> BddState {
        self.initial_state(worker)
    }

    fn initial_precision(&self) -> BddPrecision {
        self.precision.clone()
    }

    fn transfer(
        &self,
        worker: &mut BddWorker,
        state: &BddState,
        _: &BddPrecision,
        step: &Move<'_>,
        _: &mut dyn View,
        out: &mut Successors<BddState>,
    ) {
        if let Some(next) = self.step(worker, state, step) {
            out.push(next);
        }
    }

    fn strengthen(&self, worker: &mut BddWorker, state: &mut BddState, step: &Move<'_>, others: &mut dyn View) -> bool {
        self.ask_siblings(worker, state, step, others)
    }

    fn adjust(&self, _: &mut BddWorker, state: &mut BddState, precision: &BddPrecision, at: &Position<'_>) -> Adjustment {
        precision.cut(self, state, at);
        Adjustment::Continue
    }

    fn covers(&self, _: &mut BddWorker, smaller: &BddState, larger: &BddState) -> bool {
        smaller.is_below(larger)
    }

    /// The union, which is exact as long as its diagram is not too large.
    fn join(&self, _: &mut BddWorker, new: &BddState, old: &BddState, _: &BddPrecision, _: &Position<'_>) -> Option<BddState> {
        if new == old { Some(old.clone()) } else { Some(BddState::new(self.bounded(old.bdd().or(new.bdd())))) }
    }

    fn covered_by_union(&self, _: &mut BddWorker, state: &BddState, others: &[&BddState]) -> bool {
        let mut rest = state.bdd().clone();
        for other in others {
            if rest.is_false() {
                break;
            }
            rest = rest.and_not(other.bdd());
        }
        rest.is_false()
    }

    fn hash(&self, state: &BddState) -> u64 {
        state.hash64()
    }

    fn size(&self, state: &BddState) -> usize {
        state.bdd().size()
    }

    /// The registers that the state says something about, those of one value with it.
    fn describe(&self, state: &BddState) -> String {
        let mut about: Vec<VarId> = state.bdd().support_set().into_iter().map(|bit| self.encoding.owners[bit.to_index()]).collect();
        about.sort_unstable();
        about.dedup();
        let describe = |variable: VarId| {
            let name = &self.program.variables[variable].name;
            let class = &self.encoding.classes[self.encoding.class(variable)?];
            let possible = |code: &u32| !state.bdd().and(&self.encoding.has_code(variable, *code)).is_false();
            let mut codes = (0..class.codes()).filter(possible);
            match (codes.next(), codes.next()) {
                (Some(code), None) => Some(match class.value_of(code) {
                    Some(value) => format!("{name} = {}", Bits::new(class.width, value).signed()),
                    None => format!("{name} = other {code}"),
                }),
                _ => Some(name.clone()),
            }
        };
        about.into_iter().filter_map(describe).collect::<Vec<_>>().join(", ")
    }

    fn value_of(&self, worker: &mut BddWorker, state: &BddState, term: Term) -> Option<Bits> {
        let cases = self.cases(&mut worker.memo, term);
        if cases.is_unknown() {
            return None;
        }
        let mut found = None;
        for (value, guard) in &cases.list {
            if guard.is_true() || !state.bdd().and(guard).is_false() {
                match (*value, found) {
                    (CaseValue::Known(bits), None) => found = Some(bits),
                    _ => return None,
                }
            }
        }
        found
    }

    fn implied(&self, worker: &mut BddWorker, state: &BddState, condition: Term) -> Option<bool> {
        let cases = self.cases(&mut worker.memo, condition);
        if cases.is_unknown() {
            return None;
        }
        let never = || self.encoding.set.mk_false();
        if state.bdd().and(&cases.may_hold(never(), true)).is_false() {
            return Some(false);
        }
        state.bdd().and(&cases.may_hold(never(), false)).is_false().then_some(true)
    }
}
