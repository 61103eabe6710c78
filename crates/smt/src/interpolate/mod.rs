//! Interpolants of contradictory sequences of constraints.
//!
//! For groups `G1 … Gn` whose conjunction is unsatisfiable, a sequence of interpolants `I1 … In-1` has: `Ik` follows
//! from the groups up to `k` (indeed from `Ik-1` and `Gk`), contradicts the groups after `k`, and speaks only of
//! symbols that occur on both sides. Two ways lead there, and they give different generalisations:
//!
//! * *Craig* ([`Method::Craig`]): McMillan's construction on the resolution proof of the SAT layer; bits are lifted
//!   back to words where a comparison of the query is what both sides share. Arrays and functions are taken out before
//!   and put back afterwards.
//! * *Newton* ([`Method::Newton`]): strongest postconditions over the unsatisfiable core, with symbols that are no
//!   longer needed eliminated through their definitions; words stay words.
//!
//! Newton-style assertions can also be made backwards, as weakest preconditions, with or without the core, and over all
//! current symbols instead of those that are needed ([`Newton`]); Craig interpolants also one by one instead of from
//! one proof ([`one_by_one`]).
//!
//! A third way is a back end that has interpolants of its own ([`Method::Backend`]: Bitwuzla 0.9 and later).
//!
//! Every sequence is checked in debug builds by [`check`]; those of a back end and of arrays always are.

mod arrays;
mod binary;
mod eliminate;
mod newton;
mod proof;

pub use newton::{Direction, Newton, Vocabulary};

use crate::answer::{Answer, Budget, NoAnswer};
use crate::chain::parts::{Key, Splitter};
use crate::model::Model;
use crate::solver::Solver;
use assay_base::FastSet;
use assay_term::{Term, Terms};

/// How interpolants are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// From our own proof of the contradiction.
    #[default]
    Craig,
    /// Where a symbol that is no longer needed has no definition to replace it, the Craig interpolant is taken.
    Newton,
    /// From the solver's back end, if it has the ability; else from our own proof.
    Backend,
}

/// Why there are no interpolants.
#[derive(Clone, Debug)]
pub enum InterpolationError {
    /// The groups do not contradict each other.
    Satisfiable(Model),
    /// The solver did not find out within the budget, or has no proof for an operation of the query.
    Unknown(NoAnswer),
}

impl std::fmt::Display for InterpolationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InterpolationError::Satisfiable(_) => f.write_str("there is no interpolant: the constraints are satisfiable"),
            InterpolationError::Unknown(reason) => write!(f, "no interpolant: {reason}"),
        }
    }
}

impl std::error::Error for InterpolationError {}

/// One formula between `first` and `second`: implied by the first, in contradiction to the second.
///
/// # Errors
/// Where the two do not contradict each other, or that is not found out.
pub fn binary(
    solver: &mut Solver,
    terms: &Terms,
    first: &[Term],
    second: &[Term],
    method: Method,
    budget: &Budget,
) -> Result<Term, InterpolationError> {
    let list = sequence(solver, terms, &[first.to_vec(), second.to_vec()], method, budget)?;
    Ok(list[0])
}

/// One formula for every cut between two groups; each together with the next group implies the next.
///
/// # Errors
/// Where the groups do not contradict each other, or that is not found out.
pub fn sequence(
    solver: &mut Solver,
    terms: &Terms,
    groups: &[Vec<Term>],
    method: Method,
    budget: &Budget,
) -> Result<Vec<Term>, InterpolationError> {
    let core = self::core(solver, terms, groups, budget)?;
    let list = match method {
        Method::Backend => match of_backend(solver, terms, &core, budget) {
            Ok(list) => Ok(list),
            Err(_) => arrays::sequence(solver, terms, &core, budget),
        },
        Method::Craig => arrays::sequence(solver, terms, &core, budget).or_else(|error| {
            // Where arrays and functions cannot be taken out, their words may still be eliminated.
            newton(solver, terms, &core, budget).ok_or(error)
        }),
        Method::Newton => match newton(solver, terms, &core, budget) {
            Some(list) => Ok(list),
            None => arrays::sequence(solver, terms, &core, budget),
        },
    }
    .map_err(InterpolationError::Unknown)?;
    debug_assert_eq!(check(terms, groups, &list, budget), None, "an interpolant that is none");
    Ok(list)
}

fn newton(solver: &mut Solver, terms: &Terms, core: &[Vec<Term>], budget: &Budget) -> Option<Vec<Term>> {
    Newton { direction: Direction::Forwards, vocabulary: Vocabulary::Shared, prune: true }.sequence(solver, terms, core, budget)
}

/// The constraints of a minimal contradiction, by group.
///
/// # Errors
/// Where the groups do not contradict each other, or that is not found out.
pub fn core(solver: &mut Solver, terms: &Terms, groups: &[Vec<Term>], budget: &Budget) -> Result<Vec<Vec<Term>>, InterpolationError> {
    let all: Vec<Term> = groups.iter().flatten().copied().collect();
    match solver.check_minimal(terms, &all, budget) {
        Answer::Unsat(core) => Ok(by_group(groups, &core)),
        Answer::Sat(model) => Err(InterpolationError::Satisfiable(model)),
        Answer::Unknown(reason) => Err(InterpolationError::Unknown(reason)),
    }
}

/// As [`sequence`], with a proof of its own for each cut. The groups should be a core already: nothing is taken out of
/// them.
///
/// # Errors
/// As for [`sequence`].
pub fn one_by_one(
    solver: &mut Solver,
    terms: &Terms,
    groups: &[Vec<Term>],
    direction: Direction,
    budget: &Budget,
) -> Result<Vec<Term>, InterpolationError> {
    let list = binary::sequence(solver, terms, groups, direction, budget)?;
    debug_assert_eq!(check(terms, groups, &list, budget), None, "an interpolant that is none");
    Ok(list)
}

/// A Craig interpolant of two sides that contradict each other.
fn two_sides(solver: &mut Solver, terms: &Terms, first: &[Term], second: &[Term], budget: &Budget) -> Result<Term, InterpolationError> {
    let groups = [first.to_vec(), second.to_vec()];
    let core = self::core(solver, terms, &groups, budget)?;
    let list = arrays::sequence(solver, terms, &core, budget).or_else(|error| newton(solver, terms, &core, budget).ok_or(error));
    list.map(|list| list[0]).map_err(InterpolationError::Unknown)
}

/// From the resolution proof of the embedded engine, unchecked.
pub(crate) fn of_proof(terms: &Terms, groups: &[Vec<Term>], budget: &Budget) -> Result<Vec<Term>, NoAnswer> {
    if groups.len() < 2 {
        return Ok(vec![]);
    }
    arrays::sequence(&mut Solver::new(Default::default()), terms, groups, budget)
}

/// What the back end gives, if it stands the check: others' interpolants are not taken on trust.
fn of_backend(solver: &mut Solver, terms: &Terms, groups: &[Vec<Term>], budget: &Budget) -> Result<Vec<Term>, NoAnswer> {
    let unsupported = || NoAnswer::Unsupported("interpolants without a back end that has them".into());
    let backend = solver.backend_mut().filter(|backend| backend.description().abilities.interpolants).ok_or_else(unsupported)?;
    let list = backend.interpolants(terms, groups, budget)?;
    match check(terms, groups, &list, budget) {
        None => Ok(list),
        Some(broken) => Err(NoAnswer::WrongAnswer(broken)),
    }
}

/// Which law a sequence breaks, in words; `None` if none, or if the solver did not find out.
pub fn check(terms: &Terms, groups: &[Vec<Term>], interpolants: &[Term], budget: &Budget) -> Option<String> {
    if interpolants.len() + 1 != groups.len().max(1) {
        return Some(format!("{} interpolants for {} groups", interpolants.len(), groups.len()));
    }
    let mut solver = Solver::new(Default::default());
    let mut splitter = Splitter::default();
    for (cut, &interpolant) in interpolants.iter().enumerate() {
        let mut facts = groups[cut].clone();
        if cut > 0 {
            facts.push(interpolants[cut - 1]);
        }
        if solver.implies(terms, &facts, interpolant, budget) == Some(false) {
            return Some(format!("interpolant {cut} does not follow from the one before it and its group"));
        }
        let before = keys(terms, &mut splitter, &groups[..=cut]);
        let after = keys(terms, &mut splitter, &groups[cut + 1..]);
        if splitter.keys(terms, interpolant).iter().any(|k| !before.contains(k) || !after.contains(k)) {
            return Some(format!("interpolant {cut} speaks of symbols that only one side has: {}", terms.display(interpolant)));
        }
    }
    if let Some(&last) = interpolants.last() {
        let mut end = groups[groups.len() - 1].clone();
        end.push(last);
        if solver.check(terms, &end, budget).is_sat() {
            return Some("the last interpolant does not contradict the last group".into());
        }
    }
    None
}

fn keys(terms: &Terms, splitter: &mut Splitter, groups: &[Vec<Term>]) -> FastSet<Key> {
    let mut set = FastSet::default();
    for &constraint in groups.iter().flatten() {
        set.extend(splitter.keys(terms, constraint).iter().copied());
    }
    set
}

/// The members of a core (places in the flat list), by group.
fn by_group(groups: &[Vec<Term>], core: &[usize]) -> Vec<Vec<Term>> {
    let mut place = 0;
    groups
        .iter()
        .map(|group| {
            let part = group.iter().enumerate().filter(|(i, _)| core.contains(&(place + i))).map(|(_, &c)| c).collect();
            place += group.len();
            part
        })
        .collect()
}
