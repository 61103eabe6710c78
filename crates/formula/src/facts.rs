//! What is known of addresses: objects that are alive at the same time do not overlap, no object lies in the last page,
//! and each is aligned as its type or its allocation demands. Stated only for objects whose addresses a condition
//! speaks of, because most conditions speak of none.

use crate::encoder::Encoder;
use crate::state::{Object, State};
use assay_base::FastSet;
use assay_semantics::environment::last_address;
use assay_term::{Op, Term};

/// Conditions larger than this (as trees) are not searched one by one; [`Encoder::facts`] serves for a whole query.
const SMALL: u16 = 400;
/// Facts are quadratic in the number of objects.
const MAX_OBJECTS: usize = 100;
/// Larger objects might not fit beside each other, and no path becomes infeasible for that.
const MAX_SIZE: u128 = 1 << 20;

impl Encoder<'_> {
    /// Facts of the addresses that the terms speak of, in this state.
    pub fn facts(&self, state: &State, query: impl IntoIterator<Item = Term>) -> Vec<Term> {
        let mut bases: FastSet<Term> = FastSet::default();
        self.terms.post_order(query, |term, node| {
            if node.op == Op::Address {
                bases.insert(term);
            }
        });
        if bases.is_empty() {
            return vec![];
        }
        let mut facts = Vec::new();
        let mut objects: Vec<&Object> = Vec::new();
        for (key, object) in state.objects().filter(|(_, object)| bases.contains(&object.base)) {
            objects.push(object);
            let alignment = key.name.alignment(self.program);
            if alignment > 1 && self.terms.node(object.base).op == Op::Address {
                let low = self.terms.extract(object.base, alignment.ilog2() - 1, 0);
                facts.push(self.terms.eq(low, self.terms.number(alignment.ilog2(), 0)));
            }
        }
        for (i, a) in objects.iter().take(MAX_OBJECTS).enumerate() {
            if let Some(size) = self.terms.as_constant(a.size).filter(|_| self.is_small(a)) {
                let last = self.address_number(last_address(self.pointer()) - size.value() as u64);
                facts.push(self.terms.implies(a.alive, self.terms.ule(a.base, last)));
            }
            for b in objects.iter().take(i) {
                let both = self.terms.and(a.alive, b.alive);
                facts.push(self.terms.implies(both, self.apart(a, b)));
            }
            for function in bases.iter().filter(|&&base| self.is_function(base)) {
                facts.push(self.terms.implies(a.alive, self.terms.ne(a.base, *function)));
            }
        }
        let functions: Vec<Term> = bases.iter().copied().filter(|&base| self.is_function(base)).collect();
        for (i, &f) in functions.iter().enumerate() {
            facts.extend(functions[..i].iter().map(|&g| self.terms.ne(f, g)));
        }
        facts.sort_by_key(|&fact| self.terms.node(fact).fingerprint);
        facts.retain(|&fact| !self.terms.is_true(fact));
        facts
    }

    pub(crate) fn address_facts(&self, state: &State, condition: Term) -> Vec<Term> {
        if self.terms.node(condition).tree_size() > SMALL {
            return vec![];
        }
        let known: FastSet<Term> = state.conditions.iter().copied().collect();
        let mut facts = self.facts(state, [condition]);
        facts.retain(|fact| !known.contains(fact));
        facts
    }

    fn is_function(&self, base: Term) -> bool {
        self.program.function_of(self.terms.node(base).symbol()).is_some()
    }

    fn is_small(&self, object: &Object) -> bool {
        self.terms.as_constant(object.size).is_some_and(|size| size.value() <= MAX_SIZE)
    }

    fn apart(&self, a: &Object, b: &Object) -> Term {
        let t = self.terms;
        if !self.is_small(a) || !self.is_small(b) {
            return t.ne(a.base, b.base);
        }
        // An object without bytes has an address of its own all the same.
        let is_empty = |object: &Object| t.as_constant(object.size).is_some_and(|size| size.is_zero());
        let end = |object: &Object| t.add(object.base, if is_empty(object) { self.address_number(1) } else { object.size });
        t.or(t.ule(end(a), b.base), t.ule(end(b), a.base))
    }
}
