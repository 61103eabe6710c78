//! Coverage up to the names of symbols. A substitution ρ of the larger state's symbols by terms is looked for, such
//! that the smaller state lies below ρ(larger). Any substitution is sound as long as it is one for values and
//! constraints together: what ρ(larger) stands for, the larger state stands for with the values that ρ gives its
//! symbols. So the search may be careless, and the result is checked by applying it.

use super::transfer::is_input_symbol;
use super::{ValueDomain, ValueState};
use assay_base::FastMap;
use assay_semantics::state::{Executor, Value};
use assay_term::{Op, SymbolId, Term, Terms};

/// Pairs of subterms that one comparison looks at.
const MAX_PAIRS: usize = 2_000;

/// What stands for which symbol.
struct Substitution<'t> {
    terms: &'t Terms,
    map: FastMap<SymbolId, Term>,
}

impl<'t> Substitution<'t> {
    fn new(terms: &'t Terms) -> Self {
        Substitution { terms, map: FastMap::default() }
    }

    /// Extends the substitution so that it turns the pattern into the term. On failure it may hold less than was hoped
    /// for, never a contradiction.
    fn unify(&mut self, pattern: Term, term: Term) -> bool {
        let terms = self.terms;
        let mut work = vec![(pattern, term)];
        for _ in 0..MAX_PAIRS {
            let Some((pattern, term)) = work.pop() else { return true };
            let (a, b) = (terms.node(pattern), terms.node(term));
            if a.op == Op::Symbol && is_input_symbol(terms.symbol_name(a.symbol())) {
                if a.sort != b.sort || *self.map.entry(a.symbol()).or_insert(term) != term {
                    return false;
                }
                continue;
            }
            let ((left, arity), (right, _)) = (a.operands(), b.operands());
            if arity == 0 || a.op != b.op {
                if pattern != term || a.op == Op::Apply {
                    return false;
                }
                continue;
            }
            let same_kind = a.sort == b.sort && a.round == b.round && (a.op != Op::Extract || (a.c, a.d) == (b.c, b.d));
            if !same_kind {
                return false;
            }
            work.extend((0..arity).map(|i| (left[i], right[i])));
        }
        false
    }

    /// As [`unify`](Self::unify) for values, of which the larger one is the pattern.
    fn fit(&mut self, small: Value, large: Value) -> bool {
        let Value::Term(pattern) = large else { return false };
        match small {
            Value::Term(term) => self.unify(pattern, term),
            Value::Known { .. } => {
                let node = self.terms.node(pattern);
                // Only a symbol by itself becomes a constant; what is computed from one would have to be solved for.
                node.op == Op::Symbol && small.as_bits().is_some_and(|bits| self.unify(pattern, self.terms.constant(bits)))
            }
            _ => false,
        }
    }

    fn apply(&self, term: Term, memo: &mut FastMap<Term, Term>) -> Term {
        let mut replace = |node: &assay_term::Node| match node.op {
            Op::Symbol => self.map.get(&node.symbol()).copied(),
            _ => None,
        };
        self.terms.substitute_with(term, &mut replace, memo)
    }

    /// Extends the substitution so that every constraint of the larger state becomes one of the smaller one's.
    fn unify_constraints(&mut self, smaller: &ValueState, larger: &ValueState) -> bool {
        larger.constraints.iter().all(|constraint| {
            let term = self.apply(constraint.term, &mut FastMap::default());
            if self.terms.is_true(term) || smaller.constraints.contains(term) {
                return true;
            }
            let before = self.map.clone();
            smaller.constraints.iter().any(|candidate| {
                let found = self.unify(constraint.term, candidate.term);
                if !found {
                    self.map.clone_from(&before);
                }
                found
            })
        })
    }
}

impl ValueDomain<'_> {
    /// Whether one substitution for values and constraints brings the larger state above the smaller one.
    pub(super) fn covers_up_to_names(&self, smaller: &ValueState, larger: &ValueState) -> bool {
        let mut substitution = Substitution::new(&self.terms);
        if !smaller.values.is_below(&larger.values, &mut |small, large| substitution.fit(small, large)) {
            return false;
        }
        if !substitution.unify_constraints(smaller, larger) {
            return false;
        }
        let mut memo = FastMap::default();
        self.is_below_substituted(smaller, larger, &substitution, &mut memo)
            && larger.constraints.iter().all(|constraint| {
                let term = substitution.apply(constraint.term, &mut memo);
                self.terms.is_true(term) || smaller.constraints.contains(term)
            })
    }

    /// The thesis' aliased subset: values and constraints are compared up to names, each with names of its own. That is
    /// **not sound**: it may cover a state whose concrete states the larger one does not stand for. It is here as an
    /// experiment; a run that uses it cannot end in a proof.
    pub(super) fn covers_by_aliases(&self, smaller: &ValueState, larger: &ValueState) -> bool {
        let mut values = Substitution::new(&self.terms);
        smaller.values.is_below(&larger.values, &mut |small, large| values.fit(small, large))
            && self.is_below_substituted(smaller, larger, &values, &mut FastMap::default())
            && Substitution::new(&self.terms).unify_constraints(smaller, larger)
    }

    /// Whether the values lie below those of ρ(larger).
    fn is_below_substituted(
        &self,
        smaller: &ValueState,
        larger: &ValueState,
        substitution: &Substitution<'_>,
        memo: &mut FastMap<Term, Term>,
    ) -> bool {
        let machine = Executor::new(self.program, &self.terms);
        let mut values = larger.values.clone();
        values.map_terms(&mut |term| {
            let new = substitution.apply(term, memo);
            (new != term).then(|| machine.normalise(&larger.values, new))
        });
        smaller.values.is_below(&values, &mut |_, _| false)
    }
}
