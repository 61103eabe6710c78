//! Newton-style assertions in the words of the constraints: strongest postconditions forwards, weakest preconditions
//! backwards. Symbols that may not be spoken of are replaced through their definitions; a constraint that still has
//! some is dropped where the contradiction survives that, which the solver says.

use super::eliminate::eliminate;
use super::{arrays, keys};
use crate::answer::{Answer, Budget};
use crate::chain::parts::{Key, Splitter};
use crate::solver::Solver;
use assay_base::FastSet;
use assay_term::{SymbolId, Term, Terms};

/// What assertions may speak of.
pub enum Vocabulary<'v> {
    /// Symbols that occur on both sides: the projection to what is live.
    Shared,
    /// What is current after a group, whether it is needed or not. Addresses always are.
    Current(&'v dyn Fn(usize, SymbolId) -> bool),
}

impl Vocabulary<'_> {
    fn allows(&self, cut: usize, shared: &FastSet<Key>, key: Key) -> bool {
        match self {
            Vocabulary::Shared => shared.contains(&key),
            Vocabulary::Current(current) => key & 1 == 1 || current(cut, SymbolId(key >> 1)),
        }
    }
}

/// In which direction assertions are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Strongest postconditions: what the steps so far say.
    Forwards,
    /// Weakest preconditions: the negation of what the steps to come demand.
    Backwards,
}

/// One pass over the groups.
pub struct Newton<'n> {
    /// From which end the groups are walked.
    pub direction: Direction,
    /// Which symbols an assertion may have.
    pub vocabulary: Vocabulary<'n>,
    /// Whether only what the other side needs is kept.
    pub prune: bool,
}

impl Newton<'_> {
    /// The assertions after each group but the last; `None` where symbols without a definition matter, and there is no
    /// proof either.
    pub fn sequence(&self, solver: &mut Solver, terms: &Terms, groups: &[Vec<Term>], budget: &Budget) -> Option<Vec<Term>> {
        let cuts = groups.len().saturating_sub(1);
        let mut splitter = Splitter::default();
        let mut result = vec![terms.true_(); cuts];
        // What this side says at the cut: itself forwards, its negation backwards.
        let mut side: Vec<Term> = Vec::new();
        let occurrences = Occurrences::of(terms, groups, &mut splitter);
        for step in 0..cuts {
            let cut = if self.direction == Direction::Forwards { step } else { cuts - 1 - step };
            let (own, others) = match self.direction {
                Direction::Forwards => (cut, cut + 1..groups.len()),
                Direction::Backwards => (cut + 1, 0..cut + 1),
            };
            side.extend_from_slice(&groups[own]);
            let shared = occurrences.within(&others);
            let allowed = |key: Key| self.vocabulary.allows(cut, &shared, key);
            let clean = |splitter: &mut Splitter, c: Term| splitter.keys(terms, c).iter().all(|&k| allowed(k));
            let unchanged = step > 0 && groups[own].is_empty() && side.iter().all(|&c| clean(&mut splitter, c));
            if !unchanged {
                let mut projected = eliminate(terms, &side, &|key| !allowed(key), &mut splitter);
                let before = projected.len();
                projected.retain(|&c| clean(&mut splitter, c));
                side = if self.prune || projected.len() < before {
                    let rest: Vec<Term> = groups[others].iter().flatten().copied().collect();
                    self.needed(solver, terms, &projected, &rest, budget).or_else(|| {
                        // Some symbol matters that has no definition: what is said of it is left to the proof.
                        let (first, second) = if self.direction == Direction::Forwards { (&side, &rest) } else { (&rest, &side) };
                        let list = arrays::sequence(solver, terms, &[first.clone(), second.clone()], budget).ok()?;
                        Some(vec![if self.direction == Direction::Forwards { list[0] } else { terms.not(list[0]) }])
                    })?
                } else {
                    projected
                };
            }
            let said = terms.and_all(side.iter().copied());
            result[cut] = if self.direction == Direction::Forwards { said } else { terms.not(said) };
        }
        Some(result)
    }

    /// Those of the constraints that contradict the rest; `None` if they do not. Without pruning, all of them.
    fn needed(&self, solver: &mut Solver, terms: &Terms, side: &[Term], rest: &[Term], budget: &Budget) -> Option<Vec<Term>> {
        let mut query = side.to_vec();
        query.extend_from_slice(rest);
        let Answer::Unsat(core) = solver.check(terms, &query, budget) else { return None };
        if !self.prune {
            return Some(side.to_vec());
        }
        Some(core.iter().filter(|&&i| i < side.len()).map(|&i| side[i]).collect())
    }
}

/// In which groups each symbol occurs first and last.
struct Occurrences(Vec<(Key, usize, usize)>);

impl Occurrences {
    fn of(terms: &Terms, groups: &[Vec<Term>], splitter: &mut Splitter) -> Occurrences {
        let mut spans: assay_base::FastMap<Key, (usize, usize)> = Default::default();
        for (group, constraints) in groups.iter().enumerate() {
            for key in keys(terms, splitter, std::slice::from_ref(constraints)) {
                spans.entry(key).or_insert((group, group)).1 = group;
            }
        }
        Occurrences(spans.into_iter().map(|(key, (first, last))| (key, first, last)).collect())
    }

    /// The symbols of a range of groups that begins with the first or ends with the last.
    fn within(&self, groups: &std::ops::Range<usize>) -> FastSet<Key> {
        let inside = |first: usize, last: usize| if groups.start == 0 { first < groups.end } else { last >= groups.start };
        self.0.iter().filter(|&&(_, first, last)| inside(first, last)).map(|&(key, ..)| key).collect()
    }
}
