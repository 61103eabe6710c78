//! Ranking functions: what gets smaller in every iteration. Values are bit-vectors, of which there are finitely many,
//! so that a function that never grows and gets smaller again and again needs no bound where numbers wrap around. Where
//! they do not (signed ones), a bound is asked for that has nothing to do with the width of numbers ([`limit`]): a loop
//! that only ends because a signed number overflows is not said to end.
//!
//! A relation (the iterations that are possible) is taken apart: a function that no iteration makes larger is the same
//! from some iteration on, if iterations never end; so only those iterations are left that do not change it. Where
//! nothing is left, iterations end. Such functions are lexicographic ranking functions whose parts are found one after
//! the other. Where there is none, a condition that iterations change in one direction only is one, too: it is the same
//! from some iteration on, and both cases are looked at for themselves. So there are ranking functions by cases and by
//! phases.

use crate::walk::Walker;
use assay_base::FastMap;
use assay_smt::{Answer, Model};
use assay_term::{Op, Term, Terms};
use std::time::Duration;

/// For one question.
const TIME: Duration = Duration::from_millis(1500);
/// Cases inside cases.
const DEEPEST: usize = 4;
/// Values whose sums are tried.
const MOST_PAIRED: usize = 8;

/// A value of the program at the head, now and after an iteration.
pub(crate) struct Feature {
    pub name: String,
    pub now: Term,
    pub next: Vec<Term>,
    /// Whether it is a signed number.
    pub signed: bool,
    /// The logarithm of what counts as far below zero; `None` for numbers that wrap around, whose ends are bounds.
    pub limit: Option<u32>,
}

/// Two values that the program compares, now and afterwards.
pub(crate) struct Difference {
    pub now: (Term, Term),
    pub next: (Vec<Term>, Vec<Term>),
    /// As signed numbers.
    pub signed: bool,
}

/// One path from the head back to it.
#[derive(Clone)]
pub(crate) struct Transition {
    pub conditions: Vec<Term>,
}

/// What one iteration does.
pub(crate) struct Relation {
    pub transitions: Vec<Transition>,
    pub features: Vec<Feature>,
    /// Values that the program compares, with what they are afterwards.
    pub differences: Vec<Difference>,
    /// Conditions, now and afterwards.
    pub predicates: Vec<(Term, Vec<Term>)>,
    pub names: FastMap<Term, String>,
    /// Iterations are calls: more than half of the numbers of a type are no stack's depth.
    pub recursion: bool,
}

/// A function of the state at the head: what it may do in each transition.
struct Candidate {
    text: String,
    grows: Vec<Term>,
    same: Vec<Term>,
    used: bool,
}

/// Whether iterations end; what gets smaller is written down.
pub(crate) fn ends(walker: &mut Walker<'_>, relation: Relation, measure: &mut Vec<String>) -> bool {
    let candidates = candidates(walker.terms, &relation);
    let mut proof = Proof { walker, relation, candidates, samples: vec![] };
    let transitions = proof.relation.transitions.clone();
    proof.ends(transitions, 0, measure)
}

struct Proof<'w, 'a> {
    walker: &'w mut Walker<'a>,
    relation: Relation,
    candidates: Vec<Candidate>,
    samples: Vec<Model>,
}

impl Proof<'_, '_> {
    fn ends(&mut self, mut transitions: Vec<Transition>, depth: usize, measure: &mut Vec<String>) -> bool {
        let t = self.walker.terms;
        let mut used = vec![];
        let result = loop {
            let mut possible = false;
            for transition in &mut transitions {
                match self.walker.model(&transition.conditions, TIME) {
                    Answer::Unsat(_) => transition.conditions = vec![t.false_()],
                    Answer::Sat(model) => {
                        possible = true;
                        self.samples.push(model);
                    }
                    Answer::Unknown(_) => possible = true,
                }
            }
            if !possible {
                break true;
            }
            if self.walker.cancel.is_stopped() {
                break false;
            }
            let mut progress = false;
            for number in 0..self.candidates.len() {
                if self.candidates[number].used || !self.is_useful(number, &transitions) || !self.never_grows(number, &transitions) {
                    continue;
                }
                self.candidates[number].used = true;
                used.push(number);
                measure.push(self.candidates[number].text.clone());
                for (transition, &same) in transitions.iter_mut().zip(&self.candidates[number].same) {
                    transition.conditions.push(same);
                }
                progress = true;
                break;
            }
            if !progress {
                break depth < DEEPEST && self.by_cases(&transitions, depth, measure);
            }
        };
        for number in used {
            self.candidates[number].used = false;
        }
        result
    }

    /// Whether no sample speaks against a function, and some sample for it.
    fn is_useful(&self, number: usize, transitions: &[Transition]) -> bool {
        let t = self.walker.terms;
        let candidate = &self.candidates[number];
        let mut shrinks = false;
        for model in &self.samples {
            let mut evaluator = model.evaluator(t);
            for (index, transition) in transitions.iter().enumerate() {
                if !transition.conditions.iter().rev().all(|&condition| evaluator.holds(condition) == Some(true)) {
                    continue;
                }
                if evaluator.holds(candidate.grows[index]) != Some(false) {
                    return false;
                }
                shrinks |= evaluator.holds(candidate.same[index]) == Some(false);
            }
        }
        shrinks
    }

    fn never_grows(&mut self, number: usize, transitions: &[Transition]) -> bool {
        let t = self.walker.terms;
        for (index, transition) in transitions.iter().enumerate() {
            let grows = self.candidates[number].grows[index];
            if t.is_false(grows) || transition.conditions.iter().any(|&condition| t.is_false(condition)) {
                continue;
            }
            let mut question = transition.conditions.clone();
            question.push(grows);
            match self.walker.model(&question, TIME) {
                Answer::Unsat(_) => {}
                Answer::Sat(model) => {
                    self.samples.push(model);
                    return false;
                }
                Answer::Unknown(_) => return false,
            }
        }
        true
    }

    /// A condition that changes in one direction only: from some iteration on it does not change.
    fn by_cases(&mut self, transitions: &[Transition], depth: usize, measure: &mut Vec<String>) -> bool {
        let t = self.walker.terms;
        for number in 0..self.relation.predicates.len() {
            if self.walker.cancel.is_stopped() {
                return false;
            }
            let (now, next) = self.relation.predicates[number].clone();
            let of = |transition: &Transition, index: usize, before: bool, after: bool| {
                let mut conditions = transition.conditions.clone();
                conditions.push(if before { now } else { t.not(now) });
                conditions.push(if after { next[index] } else { t.not(next[index]) });
                Transition { conditions }
            };
            let all = |before: bool, after: bool| -> Vec<Transition> {
                transitions.iter().enumerate().map(|(index, one)| of(one, index, before, after)).collect()
            };
            let both = self.is_possible(&all(true, true)) && self.is_possible(&all(false, false));
            let one_direction = |proof: &mut Self| !proof.is_possible(&all(true, false)) || !proof.is_possible(&all(false, true));
            if !both || !one_direction(self) {
                // Where a case never stays, only the other one can.
                continue;
            }
            let before = measure.len();
            measure.push(format!("[{}]", say(t, &self.relation.names, now)));
            if self.ends(all(true, true), depth + 1, measure) {
                measure.push("[otherwise]".to_string());
                if self.ends(all(false, false), depth + 1, measure) {
                    return true;
                }
            }
            measure.truncate(before);
        }
        false
    }

    fn is_possible(&mut self, transitions: &[Transition]) -> bool {
        transitions.iter().any(|transition| match self.walker.model(&transition.conditions, TIME) {
            Answer::Unsat(_) => false,
            Answer::Sat(model) => {
                self.samples.push(model);
                true
            }
            Answer::Unknown(_) => true,
        })
    }
}

/// A function with a name, now and after each transition; all as wide as numbers are that they are computed with.
struct Measured {
    text: String,
    now: Term,
    next: Vec<Term>,
    /// What does not wrap around where numbers are too large must have a bound of its own.
    limit: Option<u32>,
    /// From here on numbers count as not bounded above.
    top: Option<u32>,
}

/// Values below the negative of this count as not bounded: far from where numbers of this width end, so that what is
/// left of an iteration there is not only impossible because it would overflow.
pub(crate) fn limit(width: u32) -> u32 {
    if width >= 64 { 20 } else { 10 }
}

/// Single values, what the program compares, sums and differences of two, and distances from zero.
fn candidates(t: &Terms, relation: &Relation) -> Vec<Candidate> {
    let widths = relation.features.iter().map(|feature| t.width(feature.now));
    let compared = relation.differences.iter().map(|one| t.width(one.now.0));
    let wide = (widths.chain(compared).filter(|&width| width <= 64).max().unwrap_or(8) + 4).min(72);
    let fits = |term: Term| t.width(term) + 4 <= wide;
    let map = |list: &[Term], f: &dyn Fn(Term) -> Term| list.iter().map(|&term| f(term)).collect::<Vec<_>>();
    let mut found: Vec<Measured> = vec![];
    let mut add = |text: String, now: Term, next: Vec<Term>, (limit, top): (Option<u32>, Option<u32>)| {
        found.push(Measured { text, now, next, limit, top });
    };
    let single: Vec<Measured> = relation
        .features
        .iter()
        .filter(|feature| fits(feature.now))
        .map(|feature| {
            let extend = |term: Term| t.resize(term, wide, feature.signed);
            let (limit, width) = (feature.limit, t.width(feature.now));
            let top = (relation.recursion && !feature.signed && width >= 32).then_some(width - 1);
            Measured { text: feature.name.clone(), now: extend(feature.now), next: map(&feature.next, &extend), limit, top }
        })
        .collect();
    let negative = |term: Term| t.neg(term);
    for one in &single {
        add(one.text.clone(), one.now, one.next.clone(), (one.limit, one.top));
        add(format!("-{}", one.text), t.neg(one.now), map(&one.next, &negative), (one.limit, one.top));
    }
    let zero = t.number(wide, 0);
    let distance = |term: Term| t.ite(t.slt(term, zero), t.neg(term), term);
    for one in relation.differences.iter().filter(|one| fits(one.now.0)) {
        let extend = |term: Term| t.resize(term, wide, one.signed);
        let minus = |x: Term, y: Term| t.sub(extend(x), extend(y));
        let now = minus(one.now.0, one.now.1);
        let next: Vec<Term> = one.next.0.iter().zip(&one.next.1).map(|(&x, &y)| minus(x, y)).collect();
        let (x, y) = (say(t, &relation.names, one.now.0), say(t, &relation.names, one.now.1));
        let limit = (Some(limit(t.width(one.now.0))), relation.recursion.then(|| t.width(one.now.0) - 1));
        add(format!("{x} - {y}"), now, next.clone(), limit);
        add(format!("{y} - {x}"), t.neg(now), map(&next, &negative), limit);
        add(format!("|{x} - {y}|"), distance(now), map(&next, &distance), limit);
    }
    for one in &single {
        add(format!("|{}|", one.text), distance(one.now), map(&one.next, &distance), (one.limit, one.top));
    }
    let paired = &single[..single.len().min(MOST_PAIRED)];
    for (index, x) in paired.iter().enumerate() {
        for y in &paired[index + 1..] {
            let limit = match (x.limit, y.limit) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            let limit = (limit, x.top.or(y.top));
            let mut sum = |text: String, of: &dyn Fn(Term, Term) -> Term| {
                let next: Vec<Term> = x.next.iter().zip(&y.next).map(|(&a, &b)| of(a, b)).collect();
                add(text.clone(), of(x.now, y.now), next.clone(), limit);
                add(format!("-({text})"), t.neg(of(x.now, y.now)), map(&next, &negative), limit);
            };
            sum(format!("{} + {}", x.text, y.text), &|a, b| t.add(a, b));
            sum(format!("{} - {}", x.text, y.text), &|a, b| t.sub(a, b));
            sum(format!("max({}, {})", x.text, y.text), &|a, b| t.ite(t.slt(a, b), b, a));
            sum(format!("min({}, {})", x.text, y.text), &|a, b| t.ite(t.slt(a, b), a, b));
            sum(format!("2 * {} + {}", x.text, y.text), &|a, b| t.add(t.add(a, a), b));
            sum(format!("{} + 2 * {}", x.text, y.text), &|a, b| t.add(a, t.add(b, b)));
            sum(format!("2 * {} - {}", x.text, y.text), &|a, b| t.sub(t.add(a, a), b));
            sum(format!("{} - 2 * {}", x.text, y.text), &|a, b| t.sub(a, t.add(b, b)));
        }
    }
    let same = |one: &Measured, next: Term| {
        let mut same = t.eq(one.now, next);
        if let Some(bits) = one.top {
            same = t.or(same, t.not(t.slt(one.now, t.number(wide, 1 << bits))));
        }
        let Some(bits) = one.limit else { return same };
        let least = t.neg(t.number(wide, 1 << bits.min(wide - 2)));
        t.or(same, t.slt(one.now, least))
    };
    let candidate = |one: Measured| Candidate {
        grows: one.next.iter().map(|&next| t.slt(one.now, next)).collect(),
        same: one.next.iter().map(|&next| same(&one, next)).collect(),
        text: one.text,
        used: false,
    };
    found.into_iter().map(candidate).collect()
}

/// A term over the state at the head as people read it, as far as it is simple.
pub(crate) fn say(t: &Terms, names: &FastMap<Term, String>, term: Term) -> String {
    if let Some(name) = names.get(&term) {
        return name.clone();
    }
    if let Some(bits) = t.as_constant(term) {
        return bits.signed().to_string();
    }
    let node = t.node(term);
    let sign = match node.op {
        Op::Add => "+",
        Op::Mul => "*",
        Op::Eq => "==",
        Op::UnsignedLess | Op::SignedLess => "<",
        _ => return t.display(term).to_string(),
    };
    format!("{} {sign} {}", say(t, names, node.operand(0)), say(t, names, node.operand(1)))
}
