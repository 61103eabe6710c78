//! Models of recent queries, tried on new ones: most new constraints hold in one of them.

use crate::model::Model;
use assay_base::FastMap;
use assay_term::eval::Evaluation;
use assay_term::{Bits, Term, Terms};
use std::collections::VecDeque;

struct Remembered {
    model: Model,
    /// What conjuncts evaluate to in it, so that a shared prefix costs nothing.
    known: FastMap<Term, bool>,
    /// What parts of large conjuncts evaluate to.
    evaluation: Evaluation,
}

/// So many conjuncts' values are kept for a model; a useful model lives long.
const MAX_KNOWN: usize = 50_000;
/// So many parts of conjuncts are kept with their values for a model.
const MAX_EVALUATED: usize = 100_000;

/// The most recently useful models first.
pub(crate) struct Models {
    limit: usize,
    list: VecDeque<Remembered>,
}

impl Models {
    pub(crate) fn new(limit: usize) -> Self {
        Models { limit, list: VecDeque::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }

    /// A model in which all conjuncts hold.
    pub(crate) fn find(&mut self, terms: &Terms, conjuncts: &[Term]) -> Option<Model> {
        for i in 0..self.list.len() {
            let Remembered { model, known, evaluation } = &mut self.list[i];
            if known.len() > MAX_KNOWN {
                known.clear();
            }
            if evaluation.len() > MAX_EVALUATED {
                evaluation.clear();
            }
            // The newest conjunct is the one that most likely fails.
            let all = conjuncts.iter().rev().all(|&conjunct| match known.get(&conjunct) {
                Some(&value) => value,
                None => {
                    let value = model.eval_with(evaluation, terms, conjunct).is_some_and(Bits::is_true);
                    known.insert(conjunct, value);
                    value
                }
            });
            if all {
                let model = model.clone();
                if i > 0
                    && let Some(found) = self.list.remove(i)
                {
                    self.list.push_front(found);
                }
                return Some(model);
            }
        }
        None
    }

    /// Remembers a model that was checked on the conjuncts.
    pub(crate) fn remember(&mut self, model: Model, conjuncts: &[Term]) {
        if self.limit == 0 {
            return;
        }
        let known = conjuncts.iter().map(|&c| (c, true)).collect();
        if self.list.len() >= self.limit {
            self.list.pop_back();
        }
        self.list.push_front(Remembered { model, known, evaluation: Evaluation::default() });
    }
}
