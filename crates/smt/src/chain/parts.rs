//! Independent parts: constraints that share no symbol, directly or through others, are decided apart.

use assay_base::FastMap;
use assay_term::{Op, SymbolId, Term, Terms};
use std::sync::Arc;

/// A symbol's value (even) or address (odd): what constraints can have in common.
pub(crate) type Key = u32;

pub(crate) fn key_of_value(symbol: SymbolId) -> Key {
    symbol.0 << 1
}
pub(crate) fn key_of_address(symbol: SymbolId) -> Key {
    symbol.0 << 1 | 1
}

/// So many conjuncts are remembered before all are forgotten.
const MAX_REMEMBERED: usize = 200_000;

/// Finds the parts and remembers the keys of every conjunct.
#[derive(Default)]
pub(crate) struct Splitter {
    keys: FastMap<Term, Arc<[Key]>>,
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
        terms.post_order([conjunct], |_, node| match node.op {
            Op::Symbol | Op::Apply => keys.push(key_of_value(node.symbol())),
            Op::Address => keys.push(key_of_address(node.symbol())),
            _ => {}
        });
        keys.sort_unstable();
        keys.dedup();
        let keys: Arc<[Key]> = keys.into();
        if self.keys.len() >= MAX_REMEMBERED {
            self.keys.clear();
        }
        self.keys.insert(conjunct, keys.clone());
        keys
    }

    /// The parts as lists of places in the conjuncts, ascending; the parts are ordered by their last conjunct, the
    /// newest first, because that is where a contradiction is.
    pub(crate) fn split(&mut self, terms: &Terms, conjuncts: &[Term]) -> Vec<Vec<usize>> {
        self.owner.clear();
        self.parent.clear();
        self.parent.extend(0..conjuncts.len());
        for (place, &conjunct) in conjuncts.iter().enumerate() {
            let keys = self.keys(terms, conjunct);
            for &key in keys.iter() {
                match self.owner.get(&key) {
                    None => {
                        self.owner.insert(key, place);
                    }
                    Some(&other) => {
                        let (a, b) = (self.root(place), self.root(other));
                        self.parent[a.max(b)] = a.min(b);
                    }
                }
            }
        }
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

    fn root(&mut self, mut place: usize) -> usize {
        while self.parent[place] != place {
            self.parent[place] = self.parent[self.parent[place]];
            place = self.parent[place];
        }
        place
    }
}
