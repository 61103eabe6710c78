//! The best region for what a path leads to: which combinations of predicates are possible at its end.

use super::domain::{PredicateDomain, PredicateWorker};
use super::image::FromRegion;
use super::predicates::PredicateId;
use super::state::{Abstraction, Segment};
use assay_base::{FastMap, FastSet};
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

/// After so many combinations the predicates are taken one by one: of one search, and of one for each combination.
const MOST_AT_ONCE: usize = 20_000;
const MOST_MODELS: usize = 2_000;

/// So many are looked for one by one before all are made at once.
const FEW_MODELS: usize = 128;
/// After so many blocks with more in a row the search is left out.
const SURE_OF_MANY: u32 = 2;

/// Whether a target is reached may take so much longer than other questions: a block has few targets, and without an
/// answer there is a counterexample that no predicate refutes.
const MORE_FOR_TARGETS: u32 = 6;

/// The question for one block: everything that the answer depends on but the region at its beginning.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Question {
    /// What the block demands.
    facts: Vec<Term>,
    /// Predicates with what they say at the end; ascending.
    predicates: Vec<(PredicateId, Term)>,
}

/// What a block leads to, from one region and another.
pub(super) type Answers = FastMap<Question, Vec<(Bdd, Arc<[Bdd]>)>>;

/// For what a block demands: regions at its beginning, with what they and it imply at its end.
pub(super) type Implied = FastMap<Vec<Term>, Vec<(Bdd, Vec<Term>)>>;

/// A predicate, or with `false` its opposite.
type Literal = (PredicateId, bool);

/// So many regions of one block are remembered.
const MOST_REMEMBERED: usize = 16;

/// What predicates say at the end, and which they are; those that say the opposite of it with `false`.
pub(super) type Open = (Term, Vec<Literal>);

impl PredicateDomain<'_> {
    /// What a path demands, from the region of its beginning on.
    pub(super) fn demands(&self, at: &Abstraction, segment: &Segment, others: &[Term]) -> Vec<Term> {
        let mut facts = self.region_facts(at.formula);
        facts.extend(self.segment_facts(at, segment, others));
        facts
    }

    fn region_facts(&self, region: Term) -> Vec<Term> {
        let mut facts = self.terms.conjuncts(region);
        facts.retain(|&fact| !self.terms.is_true(fact));
        facts
    }

    /// What a path demands, and what is known of addresses that it, the region or the others speak of.
    fn segment_facts(&self, at: &Abstraction, segment: &Segment, others: &[Term]) -> Vec<Term> {
        let mut facts = Vec::new();
        if !self.terms.is_true(segment.known) {
            facts.push(segment.known);
        }
        facts.extend_from_slice(segment.formula.conditions());
        let spoken = facts.iter().chain(others).copied().chain([at.formula]).collect::<Vec<_>>();
        facts.extend(self.encoder().facts(&segment.formula, spoken));
        facts
    }

    /// Whether anything can get to the end of a path; yes where the solver does not know.
    pub(super) fn is_possible(&self, worker: &mut PredicateWorker, at: &Abstraction, segment: &Segment) -> bool {
        let facts = self.demands(at, segment, &[]);
        worker.stats.add("predicate: feasibility checks", 1);
        worker.stats.add("predicate: queries", 1);
        let budget = Budget::with_time(&self.cancel, self.options.solver_time * MORE_FOR_TARGETS);
        !worker.solver.check(&self.terms, &facts, &budget).is_unsat()
    }

    /// Whether the facts go together; yes where the solver does not know.
    fn is_satisfiable(&self, worker: &mut PredicateWorker, facts: &[Term]) -> bool {
        !self.ask(worker, facts).is_unsat()
    }

    fn ask(&self, worker: &mut PredicateWorker, facts: &[Term]) -> Answer {
        let budget = Budget::with_time(&self.cancel, self.options.solver_time);
        worker.stats.add("predicate: queries", 1);
        worker.solver.check(&self.terms, facts, &budget)
    }

    /// The regions at the end of a path: none where nothing gets there.
    pub(super) fn regions(
        &self,
        worker: &mut PredicateWorker,
        at: &Abstraction,
        segment: &Segment,
        predicates: &[PredicateId],
    ) -> Arc<[Bdd]> {
        let encoder = self.encoder();
        let mut known: Vec<(PredicateId, Term)> = Vec::new();
        for &id in predicates {
            if let Some(term) = self.predicates.get(id).at(&encoder, &segment.formula) {
                known.push((id, term));
            }
        }
        let spoken: Vec<Term> = known.iter().map(|&(_, term)| term).collect();
        let question = Question { facts: self.segment_facts(at, segment, &spoken), predicates: known };
        worker.stats.add("predicate: abstractions", 1);
        let before = worker.answers.get(&question).map_or(&[][..], |list| &list[..]);
        if let Some((_, answer)) = before.iter().find(|(region, _)| *region == at.region) {
            worker.stats.add("predicate: abstractions by cache", 1);
            return answer.clone();
        }
        // All combinations from a union are the unions of those from its parts: what was asked before need not be asked
        // again.
        let mut parts = Vec::new();
        let mut rest = at.region.clone();
        if self.options.kind != AbstractionKind::Cartesian {
            for (region, answer) in before {
                if !region.and(&rest).is_false() && region.and_not(&at.region).is_false() {
                    rest = rest.and_not(region);
                    parts.push(answer.clone());
                }
            }
        }
        let mut answer = Vec::new();
        if parts.is_empty() {
            answer = self.compute(worker, &question, &at.region, at.formula);
        } else {
            worker.stats.add("predicate: abstractions from earlier parts", 1);
            if !rest.is_false() {
                answer = self.compute(worker, &question, &rest, self.predicates.term(&self.terms, &rest));
            }
            let whole = parts
                .iter()
                .flat_map(|part| part.iter())
                .fold(None, |all: Option<Bdd>, part| Some(all.map_or_else(|| part.clone(), |all| all.or(part))));
            let whole = answer.iter().fold(whole, |all, part| Some(all.map_or_else(|| part.clone(), |all| all.or(part))));
            answer = whole.map_or_else(Vec::new, |whole| self.shaped(whole));
        }
        let answer: Arc<[Bdd]> = answer.into();
        worker.answers.entry(question).or_default().push((at.region.clone(), answer.clone()));
        answer
    }

    /// A region as the states that it becomes.
    fn shaped(&self, region: Bdd) -> Vec<Bdd> {
        if region.is_false() {
            return vec![];
        }
        if self.options.kind != AbstractionKind::Split {
            return vec![region];
        }
        region.to_dnf().iter().map(|cube| self.predicates.diagrams.mk_conjunctive_clause(cube)).collect()
    }

    fn compute(&self, worker: &mut PredicateWorker, question: &Question, from: &Bdd, region: Term) -> Vec<Bdd> {
        let terms = &*self.terms;
        let mut facts = self.region_facts(region);
        facts.extend_from_slice(&question.facts);
        let diagrams = &self.predicates.diagrams;
        let mut fixed = BddPartialValuation::empty();
        // Predicates that say the same at the end have one truth value; constants have theirs.
        let mut open: Vec<Open> = Vec::new();
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
            return if self.is_satisfiable(worker, &facts) { vec![fixed] } else { vec![] };
        }
        if self.options.kind != AbstractionKind::Cartesian
            && let Some(region) = self.parts(worker, &facts, (from, facts.len() - question.facts.len()), &open)
        {
            return self.shaped(region.and(&fixed));
        }
        let before = worker.implied.get(&question.facts).map_or(&[][..], Vec::as_slice);
        let larger = before.iter().filter(|(other, _)| from.and_not(other).is_false());
        let known: FastSet<Term> = larger.flat_map(|(_, list)| list.iter().copied()).collect();
        let Some((region, implied)) = self.cartesian(worker, &facts, &open, &known) else { return vec![] };
        let list = worker.implied.entry(question.facts.clone()).or_default();
        if list.len() >= MOST_REMEMBERED {
            list.remove(0);
        }
        list.push((from.clone(), implied));
        vec![region.and(&fixed)]
    }

    /// All combinations. What shares no symbol is independent: its combinations are found apart, and go with all
    /// others. The first facts are those of a region.
    fn parts(&self, worker: &mut PredicateWorker, all: &[Term], from: (&Bdd, usize), open: &[Open]) -> Option<Bdd> {
        let terms = &*self.terms;
        let diagrams = &self.predicates.diagrams;
        let atoms: Vec<Term> = open.iter().map(|(term, _)| *term).collect();
        let mut region = diagrams.mk_true();
        let count = all.len();
        let mut silent = Vec::new();
        for part in worker.enumerator.independent(terms, all, &atoms) {
            let facts: Vec<Term> = part.iter().filter(|&&place| place < count).map(|&place| all[place]).collect();
            let here: Vec<&Open> = part.iter().filter(|&&place| place >= count).map(|&place| &open[place - count]).collect();
            if here.is_empty() {
                silent.extend(facts);
                continue;
            }
            let whole = part.iter().filter(|&&place| place < from.1).count() == from.1 && facts.starts_with(&all[..from.1]);
            region = region.and(&self.combinations(worker, &facts, whole.then_some(from), &here)?);
            if region.is_false() {
                return Some(region);
            }
        }
        // What no predicate speaks of must be possible too.
        Some(if silent.is_empty() || self.is_satisfiable(worker, &silent) { region } else { diagrams.mk_false() })
    }

    /// All combinations; `None` where there are too many, or the solver does not know. The solver is asked for a few,
    /// and where these are not all, diagrams say more of them than a search could.
    fn combinations(&self, worker: &mut PredicateWorker, facts: &[Term], from: FromRegion<'_>, open: &[&Open]) -> Option<Bdd> {
        if open.len() > FEW_MODELS.ilog2() as usize {
            if worker.many < SURE_OF_MANY {
                if let Some(cubes) = self.listed(worker, facts, open, FEW_MODELS) {
                    worker.many = 0;
                    return Some(self.predicates.diagrams.mk_dnf(&cubes));
                }
                worker.many += 1;
            }
            if let Some((region, count)) = self.image(worker, facts, from, open) {
                if count < FEW_MODELS as f64 {
                    worker.many = 0;
                }
                return Some(region);
            }
            worker.many = 0;
        }
        Some(self.predicates.diagrams.mk_dnf(&self.listed(worker, facts, open, MOST_AT_ONCE)?))
    }

    /// As [`combinations`](Self::combinations), one by one, and at most so many.
    fn listed(&self, worker: &mut PredicateWorker, facts: &[Term], open: &[&Open], most: usize) -> Option<Vec<BddPartialValuation>> {
        let terms = &*self.terms;
        let atoms: Vec<Term> = open.iter().map(|(term, _)| *term).collect();
        let budget = Budget::with_time(&self.cancel, self.options.solver_time);
        let found = worker.enumerator.combinations(terms, facts, &atoms, most, &budget);
        worker.stats.add("predicate: queries", 1);
        worker.stats.add("predicate: models", found.list.len() as u64);
        let mut query = facts.to_vec();
        let mut cubes = Vec::new();
        for combination in found.list {
            let mut cube = BddPartialValuation::empty();
            let mut other = Vec::new();
            for ((term, ids), holds) in open.iter().zip(combination) {
                for (id, same) in ids {
                    cube.set_value(id.variable(), holds == *same);
                }
                if !found.complete {
                    other.push(if holds { terms.not(*term) } else { *term });
                }
            }
            query.push(terms.or_all(other));
            cubes.push(cube);
        }
        if found.complete {
            return Some(cubes);
        }
        if most < MOST_AT_ONCE {
            return None;
        }
        worker.stats.add("predicate: abstractions that needed more than one search", 1);
        loop {
            if cubes.len() >= MOST_MODELS {
                worker.stats.add("predicate: abstractions with too many combinations", 1);
                return None;
            }
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
        }
    }

    /// Each predicate by itself; `None` where nothing gets to the end. What was implied from a larger region by the
    /// same path still is.
    fn cartesian(&self, worker: &mut PredicateWorker, facts: &[Term], open: &[Open], known: &FastSet<Term>) -> Option<(Bdd, Vec<Term>)> {
        let terms = &*self.terms;
        let literal = |(index, value): (usize, bool)| if value { open[index].0 } else { terms.not(open[index].0) };
        let both = || (0..open.len()).flat_map(|index| [(index, true), (index, false)]);
        let (mut implied, mut left): (Vec<_>, Vec<_>) = both().partition(|&candidate| known.contains(&literal(candidate)));
        left.retain(|&(index, _)| implied.iter().all(|&(other, _)| other != index));
        match self.ask(worker, facts) {
            Answer::Unsat(_) => return None,
            // A model with the other value shows that this one is not implied.
            Answer::Sat(model) => left.retain(|&candidate| model.holds(terms, literal(candidate)) != Some(false)),
            Answer::Unknown(_) if self.cancel.is_stopped() => return Some((self.predicates.diagrams.mk_true(), vec![])),
            Answer::Unknown(_) => {}
        }
        // All at once: either everything that is left is implied, or a model shows what is not.
        while !left.is_empty() {
            let mut query = facts.to_vec();
            query.push(terms.or_all(left.iter().map(|&candidate| terms.not(literal(candidate)))));
            match self.ask(worker, &query) {
                Answer::Unsat(_) => {
                    implied.append(&mut left);
                    break;
                }
                Answer::Sat(model) => {
                    let before = left.len();
                    left.retain(|&candidate| model.holds(terms, literal(candidate)) != Some(false));
                    if left.len() == before {
                        break;
                    }
                }
                Answer::Unknown(_) => break,
            }
        }
        for candidate in left {
            let mut query = facts.to_vec();
            query.push(terms.not(literal(candidate)));
            if self.ask(worker, &query).is_unsat() {
                implied.push(candidate);
            }
        }
        let mut cube = BddPartialValuation::empty();
        for &(index, value) in &implied {
            for (id, same) in &open[index].1 {
                cube.set_value(id.variable(), value == *same);
            }
        }
        Some((self.predicates.diagrams.mk_conjunctive_clause(&cube), implied.into_iter().map(literal).collect()))
    }
}
