//! Results by set of conjuncts: a set with a known contradiction inside is unsatisfiable; a set that was satisfiable
//! before still is.

use crate::model::Model;
use assay_base::FastMap;
use assay_term::Term;

const MAX_ENTRIES: usize = 8192;

/// Both kinds of results; emptied when full, because old queries rarely come back.
#[derive(Default)]
pub(crate) struct Cache {
    satisfiable: FastMap<Box<[Term]>, Model>,
    cores: Vec<Box<[Term]>>,
    /// Cores by their newest term, which a query that contains them contains too.
    by_newest: FastMap<Term, Vec<u32>>,
}

impl Cache {
    pub(crate) fn clear(&mut self) {
        *self = Cache::default();
    }

    /// A known contradiction within a query whose members `contains` knows.
    pub(crate) fn find_core(&self, conjuncts: &[Term], contains: impl Fn(Term) -> bool) -> Option<&[Term]> {
        if self.cores.is_empty() {
            return None;
        }
        for conjunct in conjuncts.iter().rev() {
            for &core in self.by_newest.get(conjunct).into_iter().flatten() {
                let core = &self.cores[core as usize];
                if core.iter().all(|&c| contains(c)) {
                    return Some(core);
                }
            }
        }
        None
    }

    pub(crate) fn add_core(&mut self, mut core: Vec<Term>) {
        let Some(&newest) = core.iter().max() else { return };
        core.sort_unstable();
        if self.cores.len() >= MAX_ENTRIES {
            self.cores.clear();
            self.by_newest.clear();
        }
        self.by_newest.entry(newest).or_default().push(self.cores.len() as u32);
        self.cores.push(core.into());
    }

    /// The model of this very set; the terms must be sorted.
    pub(crate) fn find_model(&self, sorted: &[Term]) -> Option<&Model> {
        self.satisfiable.get(sorted)
    }

    pub(crate) fn add_model(&mut self, sorted: Vec<Term>, model: Model) {
        if self.satisfiable.len() >= MAX_ENTRIES {
            self.satisfiable.clear();
        }
        self.satisfiable.insert(sorted.into(), model);
    }
}
