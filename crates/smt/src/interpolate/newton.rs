//! Newton-style assertions: strongest postconditions over the unsatisfiable core, dead symbols projected away.

use super::eliminate::eliminate;
use super::keys;
use crate::answer::{Answer, Budget};
use crate::chain::parts::{Key, Splitter};
use crate::solver::Solver;
use assay_base::FastSet;
use assay_term::{Term, Terms};

/// The assertions after each group but the last; `None` where a dead symbol has no definition and matters.
pub fn sequence(solver: &mut Solver, terms: &Terms, core: &[Vec<Term>], budget: &Budget) -> Option<Vec<Term>> {
    let mut splitter = Splitter::default();
    let mut result = Vec::new();
    let mut state: Vec<Term> = Vec::new();
    for cut in 0..core.len() - 1 {
        state.extend_from_slice(&core[cut]);
        let later = keys(terms, &mut splitter, &core[cut + 1..]);
        let dead = |key: Key| !later.contains(&key);
        let mut projected = eliminate(terms, &state, &dead, &mut splitter);
        projected.retain(|&c| clean(terms, c, &later, &mut splitter));
        // Keep only what the rest needs; this is also the check that dropping was allowed.
        let suffix: Vec<Term> = core[cut + 1..].iter().flatten().copied().collect();
        let mut query = projected.clone();
        query.extend_from_slice(&suffix);
        let Answer::Unsat(needed) = solver.check(terms, &query, budget) else { return None };
        state = needed.iter().filter(|&&i| i < projected.len()).map(|&i| projected[i]).collect();
        result.push(terms.and_all(state.iter().copied()));
    }
    Some(result)
}

/// Whether a constraint speaks only of symbols that are still needed.
fn clean(terms: &Terms, constraint: Term, later: &FastSet<Key>, splitter: &mut Splitter) -> bool {
    splitter.keys(terms, constraint).iter().all(|k| later.contains(k))
}
