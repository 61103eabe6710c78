//! Questions for the ends of an unrolling.

use super::Search;
use assay_base::{CancelToken, FastSet};
use assay_formula::Encoder;
use assay_formula::unroll::End;
use assay_smt::{Answer, Budget, Solver};
use assay_term::Term;
use std::time::Duration;

/// So many ends are asked for in one question.
const MANY: usize = 4;

/// Whether something may reach one of several ends.
pub(super) enum Reached {
    None,
    /// This one is worth asking for first.
    Any(usize),
}

/// Asks for one unrolling.
pub(super) struct Questions<'a> {
    pub encoder: &'a Encoder<'a>,
    pub solver: &'a mut Solver,
    pub cancel: &'a CancelToken,
    /// For one question.
    pub time: Duration,
    pub search: Search,
}

impl Questions<'_> {
    fn budget(&self) -> Budget {
        Budget::with_time(self.cancel, self.search.time(self.time))
    }

    /// Whether any end can be reached, where there are many of them: one question is cheaper than one for each, and
    /// what is learned for one serves the others. It leaves out what is known of addresses, because that is much and
    /// seldom needed. A few ends are better asked one by one, for what they share is small.
    pub(super) fn reach_any(&mut self, ends: &[&End], demands: &dyn Fn(&End) -> Term) -> Reached {
        let t = self.encoder.terms;
        let mut possible: Vec<(Term, usize)> = ends.iter().enumerate().map(|(index, end)| (demands(end), index)).collect();
        possible.retain(|&(demand, _)| !t.is_false(demand));
        let mut seen = FastSet::default();
        possible.retain(|&(demand, _)| seen.insert(demand));
        if possible.len() < MANY {
            return if possible.is_empty() { Reached::None } else { Reached::Any(possible[0].1) };
        }
        let any = t.or_all(possible.iter().map(|&(demand, _)| demand));
        match self.solver.check(t, &[any], &self.budget()) {
            Answer::Unsat(_) => Reached::None,
            Answer::Sat(model) => {
                let mut evaluator = model.evaluator(t);
                let met = possible.iter().find(|&&(demand, _)| evaluator.holds(demand) == Some(true));
                Reached::Any(met.unwrap_or(&possible[0]).1)
            }
            Answer::Unknown(_) => Reached::Any(possible[0].1),
        }
    }

    /// An end that is not shown to be out of reach.
    pub(super) fn find_reached(&mut self, ends: &[&End], demands: &dyn Fn(&End) -> Term) -> Option<usize> {
        let Reached::Any(first) = self.reach_any(ends, demands) else { return None };
        std::iter::once(first).chain((0..ends.len()).filter(|&index| index != first)).find(|&index| {
            let answer = self.reach(ends[index], &[demands(ends[index])]);
            !answer.is_unsat()
        })
    }

    /// Whether the conditions can hold together with what is known of addresses.
    pub(super) fn reach(&mut self, end: &End, conditions: &[Term]) -> Answer {
        if conditions.iter().any(|&condition| self.encoder.terms.is_false(condition)) {
            return Answer::Unsat(vec![0]);
        }
        let mut query = conditions.to_vec();
        query.extend(self.encoder.facts(&end.state, conditions.iter().copied()));
        self.solver.check(self.encoder.terms, &query, &self.budget())
    }

    /// Whether an end can be reached; without undefined behaviour on the way, if that is possible.
    pub(super) fn reach_defined(&mut self, end: &End) -> Answer {
        let (terms, conditions) = (self.encoder.terms, end.state.conditions());
        let answer = self.reach(end, conditions);
        let bad = terms.or(end.state.undefined(), end.state.failing());
        if !matches!(answer, Answer::Sat(_)) || terms.is_false(bad) {
            return answer;
        }
        let strict: Vec<Term> = conditions.iter().copied().chain([terms.not(bad)]).collect();
        let defined = self.reach(end, &strict);
        if matches!(defined, Answer::Sat(_)) { defined } else { answer }
    }
}
