//! The predicates of a run: truth values over stable symbols, each with a number that is its variable in decision
//! diagrams.

use assay_base::{FastMap, FastSet};
use assay_formula::{Encoder, Stable, State};
use assay_term::{Op, SymbolId, Term, Terms};
use biodivine_lib_bdd::{Bdd, BddVariable, BddVariableSet};
use std::sync::{Arc, RwLock};

/// A predicate of a run. What it says outlives the run as text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct PredicateId(pub u16);

impl PredicateId {
    pub(super) fn variable(self) -> BddVariable {
        BddVariable::from_index(usize::from(self.0))
    }
    pub(super) fn of(variable: BddVariable) -> Self {
        PredicateId(variable.to_index() as u16)
    }
}

/// How an assertion becomes predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Splitting {
    /// It is one predicate.
    Whole,
    /// Each of its conjuncts is one.
    Conjuncts,
    /// Each comparison in it is one.
    #[default]
    Atoms,
}

/// More are not told apart.
pub(super) const MOST_PREDICATES: u16 = 4000;

/// One predicate.
#[derive(Debug)]
pub(super) struct Predicate {
    pub term: Term,
    /// What it speaks of.
    pub symbols: Vec<(SymbolId, Op, Stable)>,
}

/// The table of a run, shared by its threads.
pub(super) struct Predicates {
    pub diagrams: BddVariableSet,
    inner: RwLock<Inner>,
}

#[derive(Default)]
struct Inner {
    list: Vec<Arc<Predicate>>,
    ids: FastMap<Term, PredicateId>,
}

impl Predicates {
    pub(super) fn new() -> Self {
        Predicates { diagrams: BddVariableSet::new_anonymous(MOST_PREDICATES), inner: RwLock::default() }
    }

    pub(super) fn get(&self, id: PredicateId) -> Arc<Predicate> {
        self.inner.read().unwrap_or_else(std::sync::PoisonError::into_inner).list[usize::from(id.0)].clone()
    }

    pub(super) fn len(&self) -> usize {
        self.inner.read().unwrap_or_else(std::sync::PoisonError::into_inner).list.len()
    }

    /// The number of a predicate; a predicate and its opposite are one. `None` for constants, for what no stable symbol
    /// says, and beyond the most that there may be.
    pub(super) fn number(&self, encoder: &Encoder<'_>, term: Term) -> Option<PredicateId> {
        let terms = encoder.terms;
        let node = terms.node(term);
        let term = if node.op == Op::Not { node.operand(0) } else { term };
        if terms.as_constant(term).is_some() {
            return None;
        }
        let mut inner = self.inner.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(&id) = inner.ids.get(&term).or_else(|| inner.ids.get(&terms.not(term))) {
            return Some(id);
        }
        let mut symbols = Vec::new();
        let mut seen = FastSet::default();
        let mut stable = true;
        terms.post_order([term], |_, node| {
            if matches!(node.op, Op::Symbol | Op::Address) && seen.insert((node.symbol(), node.op)) {
                match encoder.stable_of(node.symbol(), node.op) {
                    Some(thing) => symbols.push((node.symbol(), node.op, thing)),
                    None if node.op == Op::Address && encoder.program.function_of(node.symbol()).is_some() => {}
                    None => stable = false,
                }
            }
        });
        if !stable || inner.list.len() >= usize::from(MOST_PREDICATES) {
            return None;
        }
        let id = PredicateId(inner.list.len() as u16);
        inner.list.push(Arc::new(Predicate { term, symbols }));
        inner.ids.insert(term, id);
        Some(id)
    }

    /// A region as a term.
    pub(super) fn term(&self, terms: &Terms, region: &Bdd) -> Term {
        let mut made: Vec<Term> = Vec::with_capacity(region.size());
        for pointer in region.pointers() {
            made.push(if pointer.is_zero() {
                terms.false_()
            } else if pointer.is_one() {
                terms.true_()
            } else {
                let condition = self.get(PredicateId(region.var_of(pointer).to_index() as u16)).term;
                let [low, high] = [region.low_link_of(pointer), region.high_link_of(pointer)].map(|p| made[p.to_index()]);
                terms.ite(condition, high, low)
            });
        }
        // An empty diagram has the one node of falsehood; otherwise the root is the last one.
        made.last().copied().unwrap_or_else(|| terms.false_())
    }
}

impl Predicate {
    /// What it says at the end of a block; `None` where that cannot be said.
    pub(super) fn at(&self, encoder: &Encoder<'_>, state: &State) -> Option<Term> {
        let mut values: FastMap<(SymbolId, Op), Term> = FastMap::default();
        for &(symbol, op, stable) in &self.symbols {
            values.insert((symbol, op), encoder.stable_value(state, stable)?);
        }
        Some(encoder.terms.substitute(self.term, &mut |node| values.get(&(node.symbol(), node.op)).copied()))
    }
}

/// The parts of an assertion that become predicates.
pub(super) fn split(terms: &Terms, assertion: Term, splitting: Splitting) -> Vec<Term> {
    let mut parts = Vec::new();
    let mut seen = FastSet::default();
    let mut work = vec![assertion];
    while let Some(term) = work.pop() {
        if !seen.insert(term) || terms.as_constant(term).is_some() {
            continue;
        }
        let node = terms.node(term);
        let logical = |term: Term| terms.width(term) == 1 && !terms.sort(term).is_array();
        match (splitting, node.op) {
            (Splitting::Conjuncts, Op::And) | (Splitting::Atoms, Op::And | Op::Or | Op::Xor) => work.extend(terms.operands_of(&node)),
            (Splitting::Atoms, Op::Not) => work.push(node.operand(0)),
            (Splitting::Atoms, Op::Ite) => work.extend(terms.operands_of(&node)),
            (Splitting::Atoms, Op::Eq) if logical(node.operand(0)) => work.extend(terms.operands_of(&node)),
            _ => parts.push(term),
        }
    }
    parts
}
