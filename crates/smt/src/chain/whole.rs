//! Answers to whole queries, whatever the order of their constraints: who works on one block after another asks much
//! of it again.

use crate::answer::Answer;
use crate::model::Model;
use assay_base::FastMap;
use assay_term::Term;

const MAX_ENTRIES: usize = 32_768;

enum Known {
    Sat(Model),
    /// The constraints that contradict each other.
    Unsat(Box<[Term]>),
}

/// Emptied when full.
#[derive(Default)]
pub(crate) struct Whole {
    answers: FastMap<Box<[Term]>, Known>,
}

impl Whole {
    pub(crate) fn clear(&mut self) {
        self.answers.clear();
    }

    /// What a query is known by.
    pub(crate) fn key(constraints: &[Term]) -> Box<[Term]> {
        let mut key = constraints.to_vec();
        key.sort_unstable();
        key.dedup();
        key.into()
    }

    pub(crate) fn find(&self, key: &[Term], constraints: &[Term]) -> Option<Answer> {
        Some(match self.answers.get(key)? {
            Known::Sat(model) => Answer::Sat(model.clone()),
            Known::Unsat(core) => {
                // Each constraint of the core once, where it stands first.
                let mut places: Vec<usize> = core.iter().filter_map(|term| constraints.iter().position(|c| c == term)).collect();
                places.sort_unstable();
                Answer::Unsat(places)
            }
        })
    }

    pub(crate) fn add(&mut self, key: Box<[Term]>, constraints: &[Term], answer: &Answer) {
        let known = match answer {
            Answer::Sat(model) => Known::Sat(model.clone()),
            Answer::Unsat(core) => {
                let mut core: Vec<Term> = core.iter().map(|&place| constraints[place]).collect();
                core.sort_unstable();
                core.dedup();
                Known::Unsat(core.into())
            }
            // With more time there may be an answer.
            Answer::Unknown(_) => return,
        };
        if self.answers.len() >= MAX_ENTRIES {
            self.answers.clear();
        }
        self.answers.insert(key, known);
    }
}

#[cfg(test)]
mod tests {
    use crate::solver::{Config, Solver};
    use crate::{Answer, Budget};
    use assay_base::CancelToken;
    use assay_term::random::Random;
    use assay_term::{Sort, Term, Terms};

    /// Queries in any order and with repetitions, asked often: the answers are those of a solver that remembers
    /// nothing, cores are contradictions, and nothing is asked twice.
    #[test]
    fn remembered_answers_are_those_of_a_new_solver() {
        let terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.named(name, Sort::bv(4)));
        let number = |value| terms.number(4, value);
        let pool: Vec<Term> =
            (0..6).flat_map(|v| [terms.ult(x, number(v)), terms.ult(number(v), y), terms.eq(x, terms.add(y, number(v)))]).collect();
        let budget = Budget::unlimited(&CancelToken::default());
        let mut random = Random::new(3);
        let mut remembering = Solver::new(Config { remember: true, ..Config::default() });
        for _ in 0..400 {
            let query: Vec<Term> = (0..1 + random.below(4)).map(|_| pool[random.below(pool.len() / 3)]).collect();
            let answer = remembering.check(&terms, &query, &budget);
            let fresh = Solver::new(Config::default()).check(&terms, &query, &budget);
            assert_eq!(answer.is_unsat(), fresh.is_unsat());
            match answer {
                Answer::Unsat(core) => {
                    let part: Vec<Term> = core.iter().map(|&place| query[place]).collect();
                    assert!(core.windows(2).all(|pair| pair[0] < pair[1]));
                    assert!(Solver::new(Config::default()).check(&terms, &part, &budget).is_unsat());
                }
                Answer::Sat(model) => assert!(query.iter().all(|&term| model.holds(&terms, term) == Some(true))),
                Answer::Unknown(reason) => panic!("{reason}"),
            }
        }
        let stats = remembering.stats();
        assert!(stats.counters["solver.by the same query"] > 0);
        assert_eq!(stats.counters["solver.queries asked before"], 0);
    }
}
