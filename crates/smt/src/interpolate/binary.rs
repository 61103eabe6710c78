//! Sequences made of one interpolation for every cut: forwards from the assertion before it, or backwards from the one
//! after it. The proofs are independent of each other, so that each assertion is as simple as its own two sides allow.

use super::newton::Direction;
use super::{InterpolationError, keys, two_sides};
use crate::answer::{Answer, Budget};
use crate::chain::parts::Splitter;
use crate::solver::Solver;
use assay_term::{Term, Terms};

/// Forwards: the path ends where it is infeasible first. Backwards: it begins where it is infeasible from any state
/// whatever, and nothing is said before.
pub(super) fn sequence(
    solver: &mut Solver,
    terms: &Terms,
    groups: &[Vec<Term>],
    direction: Direction,
    budget: &Budget,
) -> Result<Vec<Term>, InterpolationError> {
    let cuts = groups.len().saturating_sub(1);
    let mut splitter = Splitter::default();
    let flat = |part: &[Vec<Term>]| -> Vec<Term> { part.iter().flatten().copied().collect() };
    match direction {
        Direction::Forwards => {
            let end = shortest(groups.len(), |count| solver_says(solver, terms, &flat(&groups[..count]), budget))?;
            let mut result = vec![terms.false_(); cuts];
            let mut before = terms.true_();
            for cut in 0..end.saturating_sub(1) {
                let after = flat(&groups[cut + 1..end]);
                let shared = keys(terms, &mut splitter, std::slice::from_ref(&after));
                if !groups[cut].is_empty() || splitter.keys(terms, before).iter().any(|key| !shared.contains(key)) {
                    let mut first = groups[cut].clone();
                    first.push(before);
                    before = two_sides(solver, terms, &first, &after, budget)?;
                }
                result[cut] = before;
            }
            Ok(result)
        }
        Direction::Backwards => {
            let count = shortest(groups.len(), |count| solver_says(solver, terms, &flat(&groups[groups.len() - count..]), budget))?;
            let start = groups.len() - count;
            let mut result = vec![terms.true_(); cuts];
            let mut after = terms.false_();
            for cut in (start..cuts).rev() {
                let before = flat(&groups[start..=cut]);
                let shared = keys(terms, &mut splitter, std::slice::from_ref(&before));
                if !groups[cut + 1].is_empty() || splitter.keys(terms, after).iter().any(|key| !shared.contains(key)) {
                    let mut second = groups[cut + 1].clone();
                    second.push(terms.not(after));
                    after = two_sides(solver, terms, &before, &second, budget)?;
                }
                result[cut] = after;
            }
            Ok(result)
        }
    }
}

/// Whether constraints contradict each other.
fn solver_says(solver: &mut Solver, terms: &Terms, constraints: &[Term], budget: &Budget) -> Result<bool, InterpolationError> {
    match solver.check(terms, constraints, budget) {
        Answer::Unsat(_) => Ok(true),
        Answer::Sat(_) => Ok(false),
        Answer::Unknown(reason) => Err(InterpolationError::Unknown(reason)),
    }
}

/// The smallest count that contradicts, where all together do.
fn shortest(count: usize, mut contradicts: impl FnMut(usize) -> Result<bool, InterpolationError>) -> Result<usize, InterpolationError> {
    let (mut low, mut high) = (1, count);
    while low < high {
        let middle = usize::midpoint(low, high);
        if contradicts(middle)? { high = middle } else { low = middle + 1 }
    }
    Ok(high)
}
