//! Conjunctions taken apart, so that every other link sees the smallest constraints there are.

use super::polynomial;
use assay_base::FastMap;
use assay_term::{Op, Term, Terms};
use std::sync::Arc;

/// A flat query: its conjuncts in order of first occurrence, each with the index of the constraint it came from.
#[derive(Default)]
pub(crate) struct Flat {
    pub conjuncts: Vec<Term>,
    pub origins: Vec<usize>,
    /// Where in the list a conjunct is.
    pub place: FastMap<Term, usize>,
}

/// So many constraints are remembered before all are forgotten.
const MAX_REMEMBERED: usize = 200_000;

/// Flattens queries and remembers how each constraint falls apart.
#[derive(Default)]
pub(crate) struct Flattener {
    memo: FastMap<Term, Arc<[Term]>>,
}

impl Flattener {
    pub(crate) fn clear(&mut self) {
        self.memo.clear();
    }

    /// The flat query, or the constraints that contradict each other at first sight.
    pub(crate) fn flatten(&mut self, terms: &Terms, constraints: &[Term]) -> Result<Flat, Vec<usize>> {
        let mut flat = Flat::default();
        // What is negated, and where.
        let mut negated: FastMap<Term, usize> = FastMap::default();
        flat.conjuncts.reserve(constraints.len());
        for (origin, &constraint) in constraints.iter().enumerate() {
            let parts = match self.memo.get(&constraint) {
                Some(parts) => parts.clone(),
                None => {
                    let parts = split(terms, constraint);
                    if self.memo.len() >= MAX_REMEMBERED {
                        self.memo.clear();
                    }
                    self.memo.insert(constraint, parts.clone());
                    parts
                }
            };
            for &part in parts.iter() {
                if flat.place.contains_key(&part) {
                    continue;
                }
                let node = terms.node(part);
                if node.op == Op::Const {
                    // Only false is left by the splitting.
                    return Err(vec![origin]);
                }
                let opposite = if node.op == Op::Not {
                    negated.insert(node.operand(0), flat.conjuncts.len());
                    flat.place.get(&node.operand(0))
                } else {
                    negated.get(&part)
                };
                if let Some(&at) = opposite {
                    let mut core = vec![flat.origins[at], origin];
                    core.dedup();
                    return Err(core);
                }
                flat.place.insert(part, flat.conjuncts.len());
                flat.conjuncts.push(part);
                flat.origins.push(origin);
            }
        }
        Ok(flat)
    }
}

/// The conjuncts of a constraint without those that always hold; one that never does is false alone.
fn split(terms: &Terms, constraint: Term) -> Arc<[Term]> {
    let mut parts = terms.conjuncts(constraint);
    let mut contradiction = false;
    parts.retain(|&part| {
        let node = terms.node(part);
        let (negated, atom) = if node.op == Op::Not { (true, node.operand(0)) } else { (false, part) };
        let always = equality(terms, atom).map(|holds| holds != negated);
        contradiction |= always == Some(false);
        always.is_none()
    });
    if contradiction { [terms.false_()].into() } else { parts.into() }
}

/// What an equality with arithmetic on both sides always is.
fn equality(terms: &Terms, term: Term) -> Option<bool> {
    let node = terms.node(term);
    (node.op == Op::Eq).then(|| polynomial::compare(terms, node.operand(0), node.operand(1))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_term::Sort;

    #[test]
    fn what_is_shared_is_taken_apart_once() {
        let terms = Terms::new();
        let bit = |name: String| terms.symbol(terms.intern_symbol(&name, Sort::BOOL));
        let (mut left, mut right) = (bit("l".into()), bit("r".into()));
        for round in 0..200 {
            let fresh = bit(format!("x{round}"));
            (left, right) = (terms.and(terms.and(left, fresh), right), terms.and(right, terms.and(fresh, left)));
        }
        let flat = Flattener::default().flatten(&terms, &[terms.and(left, right)]);
        assert_eq!(flat.map(|flat| flat.conjuncts.len()).ok(), Some(202));
    }
}
