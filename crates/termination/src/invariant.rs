//! What holds at the head of a loop in every iteration: candidates that hold where the loop is entered, of which those
//! are kept that an iteration keeps together.

use crate::walk::Walker;
use assay_base::FastSet;
use assay_smt::Answer;
use assay_term::{Term, Terms};
use std::time::Duration;

/// More are not tried.
const MOST: usize = 160;
/// For one question.
const TIME: Duration = Duration::from_millis(700);

/// A condition over the state at the head; what it says of the states that enter, and of those after an iteration.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub now: Term,
    pub entry: Term,
    pub next: Vec<Term>,
}

/// Comparisons of what changes (with its value at the entry) with numbers, with each other, with what does not change,
/// and what the program compares.
pub(crate) fn candidates(t: &Terms, changing: &[(Term, Term)], fixed: &[Term], conditions: &[Term], list: &mut Vec<Term>) {
    let mut numbers: FastSet<Term> = FastSet::default();
    t.post_order(conditions.iter().copied(), |term, _| {
        if t.as_constant(term).is_some() {
            numbers.insert(term);
        }
    });
    let mut numbers: Vec<Term> = numbers.into_iter().collect();
    numbers.sort_unstable();
    for &condition in conditions {
        list.extend([condition, t.not(condition)]);
    }
    for (index, &(x, entry)) in changing.iter().enumerate() {
        let width = t.width(x);
        if width < 2 {
            list.extend([x, t.not(x)]);
            continue;
        }
        let zero = t.number(width, 0);
        list.extend([t.sle(zero, x), t.slt(zero, x), t.sle(x, zero), t.slt(x, zero), t.ne(x, zero)]);
        list.extend([t.eq(x, entry), t.sle(entry, x), t.sle(x, entry), t.ule(entry, x), t.ule(x, entry)]);
        for &number in numbers.iter().filter(|&&number| t.width(number) == width) {
            list.extend([t.sle(x, number), t.sle(number, x), t.ule(x, number)]);
        }
        let others = changing[index + 1..].iter().map(|&(y, _)| y).chain(fixed.iter().copied());
        for y in others.filter(|&y| t.width(y) == width) {
            list.extend([t.sle(x, y), t.sle(y, x), t.slt(x, y), t.slt(y, x), t.ule(x, y), t.ule(y, x)]);
        }
        list.push(t.eq(t.extract(x, 0, 0), t.number(1, 0)));
    }
    let mut seen: FastSet<Term> = FastSet::default();
    list.retain(|&term| !t.is_true(term) && !t.is_false(term) && seen.insert(term));
    list.truncate(MOST);
}

/// The candidates that hold where the loop is entered and that iterations keep.
pub(crate) fn hold(walker: &mut Walker<'_>, mut list: Vec<Candidate>, start: &[Term], transitions: &[Vec<Term>]) -> Vec<Term> {
    let t = walker.terms;
    if !drop_refuted(walker, &mut list, start, &|candidate| vec![candidate.entry]) {
        return vec![];
    }
    loop {
        let before = list.len();
        for (index, transition) in transitions.iter().enumerate() {
            let mut facts: Vec<Term> = list.iter().map(|candidate| candidate.now).collect();
            facts.extend(transition);
            if !drop_refuted(walker, &mut list, &facts, &|candidate| vec![candidate.next[index]]) {
                return vec![];
            }
        }
        if list.len() == before {
            break;
        }
    }
    let mut held: Vec<Term> = list.into_iter().map(|candidate| candidate.now).collect();
    held.retain(|&condition| !t.is_true(condition));
    held
}

/// Drops what the facts do not imply; `false` where that could not be found out.
fn drop_refuted(walker: &mut Walker<'_>, list: &mut Vec<Candidate>, facts: &[Term], of: &dyn Fn(&Candidate) -> Vec<Term>) -> bool {
    let t = walker.terms;
    loop {
        let claims: Vec<Term> = list.iter().flat_map(of).filter(|&claim| !t.is_true(claim)).collect();
        if claims.is_empty() {
            return true;
        }
        let mut question = facts.to_vec();
        question.push(t.not(t.and_all(claims)));
        match walker.model(&question, TIME) {
            Answer::Unsat(_) => return true,
            Answer::Sat(model) => {
                let mut evaluator = model.evaluator(t);
                let before = list.len();
                list.retain(|candidate| of(candidate).into_iter().all(|claim| evaluator.holds(claim) == Some(true)));
                if list.len() == before {
                    return false;
                }
            }
            Answer::Unknown(_) => {
                // What is hard to say is given up, half of it at a time.
                if list.len() < 2 || walker.cancel.is_stopped() {
                    list.clear();
                    return true;
                }
                list.truncate(list.len() / 2);
            }
        }
    }
}
