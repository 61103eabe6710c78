//! What an unrolling asks on its way: whether a further round of a loop can be reached, and what holds at its head.

use super::{Known, Search};
use assay_base::{CancelToken, Gauge, Id, Stats, WorkTime};
use assay_cfa::{FunctionId, LocationId};
use assay_formula::unroll::Visitor;
use assay_formula::{Encoder, State};
use assay_smt::{Answer, Budget, Solver};
use assay_term::Term;
use std::time::Duration;

/// What questions for rounds of loops may take in any case.
const PRUNING_TIME: Duration = Duration::from_millis(500);

/// Asks whether a further round of a loop can be reached.
pub(super) struct Pruning<'a> {
    pub encoder: &'a Encoder<'a>,
    pub solver: &'a mut Solver,
    pub cancel: &'a CancelToken,
    pub solver_time: Duration,
    pub stats: &'a mut Stats,
    pub begin: WorkTime,
    /// The time that questions took.
    pub asking: Duration,
    pub search: Search,
    pub known: Known<'a>,
}

impl Pruning<'_> {
    /// Questions may take as long as the unrolling itself, and a little more: in large programs most rounds can be
    /// reached, and asking for each of them would be all that is done.
    fn may_ask(&self) -> bool {
        self.asking <= self.begin.elapsed().saturating_sub(self.asking) + PRUNING_TIME
    }

    fn budget(&self) -> Budget {
        Budget::with_time(self.cancel, self.search.time(self.solver_time))
    }
}

impl Visitor for Pruning<'_> {
    fn is_reachable(&mut self, state: &State) -> bool {
        if !self.may_ask() {
            self.stats.add("bounded.rounds not asked for", 1);
            return true;
        }
        let begin = WorkTime::now();
        self.stats.add("bounded.rounds asked for", 1);
        let budget = self.budget();
        let reachable = !self.solver.check(self.encoder.terms, state.conditions(), &budget).is_unsat();
        self.asking += begin.elapsed();
        if !reachable {
            self.stats.add("bounded.rounds excluded", 1);
        }
        reachable
    }
    fn is_stopped(&mut self) -> bool {
        self.cancel.is_stopped() || self.search.time(PRUNING_TIME).is_zero()
    }
    fn comes_to(&mut self, function: FunctionId) {
        self.cancel.meter().set(Gauge::Function, function.index() as u64 + 1);
    }
    fn invariants(&mut self, head: LocationId) -> Vec<Term> {
        self.known.bounds.terms(self.encoder.terms, head)
    }
    fn suggestions(&mut self, head: LocationId) -> Vec<Term> {
        self.known.suggested.get(&head).cloned().unwrap_or_default()
    }
    fn refuted(&mut self, state: &State, conditions: &[Term]) -> Vec<usize> {
        let terms = self.encoder.terms;
        let mut standing: Vec<usize> = (0..conditions.len()).filter(|&index| !terms.is_true(conditions[index])).collect();
        let mut refuted = Vec::new();
        let defined = terms.not(state.undefined());
        while !standing.is_empty() {
            let all = terms.and_all(standing.iter().map(|&index| conditions[index]).collect::<Vec<_>>());
            let mut query: Vec<Term> = state.conditions().iter().copied().chain([defined, terms.not(all)]).collect();
            query.extend(self.encoder.facts(state, query.iter().copied()));
            self.stats.add("bounded.candidates asked for", 1);
            let budget = self.budget();
            match self.solver.check(terms, &query, &budget) {
                Answer::Unsat(_) => break,
                Answer::Sat(model) => {
                    let mut evaluator = model.evaluator(terms);
                    let (good, bad) = standing.iter().partition(|&&index| evaluator.holds(conditions[index]) == Some(true));
                    let bad: Vec<usize> = bad;
                    // A model that shows nothing refutes everything.
                    standing = if bad.is_empty() { vec![] } else { good };
                    refuted.extend(if bad.is_empty() { (0..conditions.len()).collect() } else { bad });
                }
                Answer::Unknown(_) => refuted.append(&mut standing),
            }
        }
        refuted
    }
}
