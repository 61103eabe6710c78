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

fn split(terms: &Terms, constraint: Term) -> Arc<[Term]> {
    let mut parts = Vec::new();
    let mut stack = vec![constraint];
    while let Some(term) = stack.pop() {
        let node = terms.node(term);
        match node.op {
            Op::Const if terms.is_true(term) => {}
            Op::And => stack.extend([node.operand(1), node.operand(0)]),
            Op::Not => {
                let inner = terms.node(node.operand(0));
                if inner.op == Op::Or {
                    stack.extend([terms.not(inner.operand(1)), terms.not(inner.operand(0))]);
                } else {
                    match equality(terms, node.operand(0)) {
                        Some(true) => return [terms.false_()].into(),
                        Some(false) => {}
                        None => parts.push(term),
                    }
                }
            }
            _ => match equality(terms, term) {
                Some(true) => {}
                Some(false) => return [terms.false_()].into(),
                None => parts.push(term),
            },
        }
    }
    parts.into()
}

/// What an equality with arithmetic on both sides always is.
fn equality(terms: &Terms, term: Term) -> Option<bool> {
    let node = terms.node(term);
    (node.op == Op::Eq).then(|| polynomial::compare(terms, node.operand(0), node.operand(1))).flatten()
}
