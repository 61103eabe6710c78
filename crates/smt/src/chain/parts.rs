//! Independent parts: constraints that share no symbol, directly or through others, are decided apart.

use assay_base::FastMap;
use assay_term::{Node, Op, SymbolId, Term, Terms};
use std::sync::Arc;

/// A symbol's value (even) or address (odd): what constraints can have in common.
pub(crate) type Key = u32;

pub(crate) fn key_of_value(symbol: SymbolId) -> Key {
    symbol.0 << 1
}
pub(crate) fn key_of_address(symbol: SymbolId) -> Key {
    symbol.0 << 1 | 1
}

/// So many terms are remembered before all are forgotten.
const MAX_REMEMBERED: usize = 200_000;
/// Parts of large conjuncts of at most this size as a tree are remembered, too: conditions of merged ways share most of
/// what they have.
const SMALL: u16 = 500;

/// Finds the parts and remembers the keys of conjuncts and of small terms in them.
#[derive(Default)]
pub(crate) struct Splitter {
    keys: FastMap<Term, Arc<[Key]>>,
    /// In which conjunct of the query a part of a large one was first met.
    met: FastMap<Term, usize>,
    owner: FastMap<Key, usize>,
    parent: Vec<usize>,
}

impl Splitter {
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
    }

    /// What a conjunct speaks of, sorted.
    pub(crate) fn keys(&mut self, terms: &Terms, conjunct: Term) -> Arc<[Key]> {
        if let Some(keys) = self.keys.get(&conjunct) {
            return keys.clone();
        }
        let mut keys = Vec::new();
        if is_small(terms, conjunct) {
            terms.post_order([conjunct], |_, node| keys.extend(key_of(node)));
        } else {
            self.walk(terms, conjunct, 0, &mut FastMap::default(), &mut keys, &mut Vec::new());
        }
        keys.sort_unstable();
        keys.dedup();
        let keys: Arc<[Key]> = keys.into();
        if self.keys.len() >= MAX_REMEMBERED {
            self.keys.clear();
        }
        self.keys.insert(conjunct, keys.clone());
        keys
    }

    /// The keys of a large conjunct that none before it has in what they share, and the conjuncts that it shares with.
    fn walk(
        &mut self,
        terms: &Terms,
        root: Term,
        place: usize,
        met: &mut FastMap<Term, usize>,
        keys: &mut Vec<Key>,
        others: &mut Vec<usize>,
    ) {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if let Some(&other) = met.get(&term) {
                others.extend((other != place).then_some(other));
                continue;
            }
            if is_small(terms, term) {
                let of_term = self.keys(terms, term);
                // What speaks of nothing connects nothing.
                if !of_term.is_empty() {
                    met.insert(term, place);
                    keys.extend_from_slice(&of_term);
                }
                continue;
            }
            met.insert(term, place);
            let node = terms.node(term);
            keys.extend(key_of(&node));
            stack.extend(terms.operands_of(&node).filter(|&operand| terms.node(operand).op != Op::Const));
        }
    }

    /// The parts as lists of places in the conjuncts, ascending; the parts are ordered by their last conjunct, the
    /// newest first, because that is where a contradiction is.
    pub(crate) fn split(&mut self, terms: &Terms, conjuncts: &[Term]) -> Vec<Vec<usize>> {
        self.owner.clear();
        self.parent.clear();
        self.parent.extend(0..conjuncts.len());
        let mut met = std::mem::take(&mut self.met);
        for (place, &conjunct) in conjuncts.iter().enumerate() {
            if is_small(terms, conjunct) || self.keys.contains_key(&conjunct) {
                let keys = self.keys(terms, conjunct);
                self.own(place, &keys);
                continue;
            }
            let (mut keys, mut others) = (Vec::new(), Vec::new());
            self.walk(terms, conjunct, place, &mut met, &mut keys, &mut others);
            self.own(place, &keys);
            others.dedup();
            others.into_iter().for_each(|other| self.connect(place, other));
        }
        met.clear();
        self.met = met;
        let mut number: FastMap<usize, usize> = FastMap::default();
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for place in 0..conjuncts.len() {
            let root = self.root(place);
            let index = *number.entry(root).or_insert_with(|| {
                parts.push(Vec::new());
                parts.len() - 1
            });
            parts[index].push(place);
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.last().copied()));
        parts
    }

    fn own(&mut self, place: usize, keys: &[Key]) {
        for &key in keys {
            let owner = *self.owner.entry(key).or_insert(place);
            if owner != place {
                self.connect(place, owner);
            }
        }
    }

    fn connect(&mut self, place: usize, other: usize) {
        let (a, b) = (self.root(place), self.root(other));
        self.parent[a.max(b)] = a.min(b);
    }

    fn root(&mut self, mut place: usize) -> usize {
        while self.parent[place] != place {
            self.parent[place] = self.parent[self.parent[place]];
            place = self.parent[place];
        }
        place
    }
}

fn is_small(terms: &Terms, term: Term) -> bool {
    terms.node(term).tree_size() <= SMALL
}

/// What a node itself speaks of.
fn key_of(node: &Node) -> Option<Key> {
    match node.op {
        Op::Symbol | Op::Apply => Some(key_of_value(node.symbol())),
        Op::Address => Some(key_of_address(node.symbol())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_term::Sort;

    /// Large conjuncts fall apart where they share no symbol, whatever constants they share.
    #[test]
    fn large_conjuncts_are_connected_by_what_they_share() {
        let terms = Terms::new();
        let symbol = |name: &str| terms.symbol(terms.intern_symbol(name, Sort::bv(32)));
        let large = |first: Term, second: Term| {
            let sum = (0..12).fold(first, |sum, _| terms.mul(terms.add(sum, second), terms.xor(sum, terms.number(32, 77))));
            assert!(!is_small(&terms, sum));
            terms.eq(sum, terms.number(32, 5))
        };
        let (a, b, c, d) = (symbol("a"), symbol("b"), symbol("c"), symbol("d"));
        let mut splitter = Splitter::default();
        let query = [large(a, b), large(c, d), large(b, a)];
        assert_eq!(splitter.split(&terms, &query), [vec![0, 2], vec![1]]);
        assert_eq!(splitter.split(&terms, &[query[0], query[1], terms.eq(b, d)]), [vec![0, 1, 2]]);
        assert_eq!(splitter.keys(&terms, query[1]).len(), 2);
        assert_eq!(splitter.split(&terms, &query), [vec![0, 2], vec![1]]);
    }
}
