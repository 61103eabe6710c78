//! The best region for what a way leads to: which combinations of predicates are possible at its end.

use super::domain::{PredicateDomain, PredicateWorker};
use super::predicates::PredicateId;
use super::state::{Abstraction, Way};
use assay_base::FastMap;
use assay_smt::{Answer, Budget};
use assay_term::Term;
use biodivine_lib_bdd::{Bdd, BddPartialValuation};
use std::sync::Arc;

/// What regions are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AbstractionKind {
    /// All combinations of predicates that are possible.
    #[default]
    Boolean,
    /// Each predicate by itself: true, false or unknown.
    Cartesian,
    /// As `Boolean`, with a state for each combination.
    Split,
}

/// After so many combinations the predicates are taken one by one.
const MOST_MODELS: usize = 2_000;

/// The question: everything that the answer depends on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Question {
    facts: Vec<Term>,
    /// Predicates with what they say at the end; ascending.
    predicates: Vec<(PredicateId, Term)>,
}

pub type Answers = FastMap<Question, Arc<[Bdd]>>;

impl PredicateDomain<'_> {
    /// What a way demands, from the region of its beginning on.
    pub(super) fn demands(&self, at: &Abstraction, way: &Way, others: &[Term]) -> Vec<Term> {
        let terms = &*self.terms;
        let mut facts = terms.conjuncts(at.formula);
        facts.retain(|&fact| !terms.is_true(fact));
        if !terms.is_true(way.known) {
            facts.push(way.known);
        }
        facts.extend_from_slice(way.formula.conditions());
        let spoken = facts.iter().chain(others).copied().collect::<Vec<_>>();
        facts.extend(self.encoder().facts(&way.formula, spoken));
        facts
    }

    /// Whether anything can get to the end of a way; yes where the solver does not know.
    pub(super) fn is_possible(&self, worker: &mut PredicateWorker, at: &Abstraction, way: &Way) -> bool {
        let facts = self.demands(at, way, &[]);
        worker.stats.add("predicate: feasibility checks", 1);
        !self.ask(worker, &facts).is_unsat()
    }

    fn ask(&self, worker: &mut PredicateWorker, facts: &[Term]) -> Answer {
        let budget = Budget::with_time(&self.cancel, self.options.solver_time);
        worker.stats.add("predicate: queries", 1);
        worker.solver.check(&self.terms, facts, &budget)
    }

    /// The regions at the end of a way: none where nothing gets there.
    pub(super) fn regions(&self, worker: &mut PredicateWorker, at: &Abstraction, way: &Way, predicates: &[PredicateId]) -> Arc<[Bdd]> {
        let encoder = self.encoder();
        let mut known: Vec<(PredicateId, Term)> = Vec::new();
        for &id in predicates {
            if let Some(term) = self.predicates.get(id).at(&encoder, &way.formula) {
                known.push((id, term));
            }
        }
        let spoken: Vec<Term> = known.iter().map(|&(_, term)| term).collect();
        let question = Question { facts: self.demands(at, way, &spoken), predicates: known };
        worker.stats.add("predicate: abstractions", 1);
        if let Some(answer) = worker.answers.get(&question) {
            worker.stats.add("predicate: abstractions by cache", 1);
            return answer.clone();
        }
        let answer: Arc<[Bdd]> = self.compute(worker, &question).into();
        worker.answers.insert(question, answer.clone());
        answer
    }

    fn compute(&self, worker: &mut PredicateWorker, question: &Question) -> Vec<Bdd> {
        let terms = &*self.terms;
        let diagrams = &self.predicates.diagrams;
        let mut fixed = BddPartialValuation::empty();
        // Predicates that say the same at the end have one truth value; constants have theirs.
        let mut open: Vec<(Term, Vec<(PredicateId, bool)>)> = Vec::new();
        for &(id, term) in &question.predicates {
            if let Some(bits) = terms.as_constant(term) {
                fixed.set_value(id.variable(), bits.is_true());
                continue;
            }
            let opposite = terms.not(term);
            match open.iter_mut().find(|(known, _)| *known == term || *known == opposite) {
                Some((known, ids)) => ids.push((id, *known == term)),
                None => open.push((term, vec![(id, true)])),
            }
        }
        let fixed = diagrams.mk_conjunctive_clause(&fixed);
        if open.is_empty() {
            return if self.ask(worker, &question.facts).is_unsat() { vec![] } else { vec![fixed] };
        }
        if self.options.kind == AbstractionKind::Cartesian {
            return self.cartesian(worker, question, &open).map(|region| region.and(&fixed)).into_iter().collect();
        }
        match self.combinations(worker, question, &open) {
            Some(cubes) if self.options.kind == AbstractionKind::Split => {
                cubes.iter().map(|cube| diagrams.mk_conjunctive_clause(cube).and(&fixed)).collect()
            }
            Some(cubes) if cubes.is_empty() => vec![],
            Some(cubes) => vec![diagrams.mk_dnf(&cubes).and(&fixed)],
            None => self.cartesian(worker, question, &open).map(|region| region.and(&fixed)).into_iter().collect(),
        }
    }

    /// All combinations; `None` where there are too many, or the solver does not know.
    fn combinations(
        &self,
        worker: &mut PredicateWorker,
        question: &Question,
        open: &[(Term, Vec<(PredicateId, bool)>)],
    ) -> Option<Vec<BddPartialValuation>> {
        let terms = &*self.terms;
        let mut query = question.facts.clone();
        let mut cubes = Vec::new();
        loop {
            worker.stats.add("predicate: queries", 1);
            let budget = Budget::with_time(&self.cancel, self.options.solver_time);
            let model = match worker.enumerator.check(terms, &query, &budget) {
                Answer::Sat(model) => model,
                Answer::Unsat(_) => return Some(cubes),
                Answer::Unknown(_) => return None,
            };
            worker.stats.add("predicate: models", 1);
            let mut cube = BddPartialValuation::empty();
            let mut other = Vec::new();
            for (term, ids) in open {
                let holds = model.holds(terms, *term)?;
                for (id, same) in ids {
                    cube.set_value(id.variable(), holds == *same);
                }
                other.push(if holds { terms.not(*term) } else { *term });
            }
            query.push(terms.or_all(other));
            cubes.push(cube);
            if cubes.len() > MOST_MODELS {
                worker.stats.add("predicate: abstractions with too many combinations", 1);
                return None;
            }
        }
    }

    /// Each predicate by itself; `None` where nothing gets to the end.
    fn cartesian(&self, worker: &mut PredicateWorker, question: &Question, open: &[(Term, Vec<(PredicateId, bool)>)]) -> Option<Bdd> {
        let terms = &*self.terms;
        let mut cube = BddPartialValuation::empty();
        let mut seen = match self.ask(worker, &question.facts) {
            Answer::Unsat(_) => return None,
            Answer::Sat(model) => vec![model],
            Answer::Unknown(_) if self.cancel.is_stopped() => return Some(self.predicates.diagrams.mk_true()),
            Answer::Unknown(_) => vec![],
        };
        for (term, ids) in open {
            for value in [true, false] {
                // A model with the other value shows that this one is not implied.
                if seen.iter().any(|model| model.holds(terms, *term) == Some(!value)) {
                    continue;
                }
                let mut query = question.facts.clone();
                query.push(if value { terms.not(*term) } else { *term });
                match self.ask(worker, &query) {
                    Answer::Unsat(_) => {
                        for (id, same) in ids {
                            cube.set_value(id.variable(), value == *same);
                        }
                        break;
                    }
                    Answer::Sat(model) => seen.push(model),
                    Answer::Unknown(_) => {}
                }
            }
        }
        Some(self.predicates.diagrams.mk_conjunctive_clause(&cube))
    }
}
