//! Normal forms of symbolic states at loop heads: constraints that concern nothing any more are dropped, symbols that
//! nothing constrains become unknown values, and the rest are numbered in order of appearance. States that differ only
//! in the names of their symbols become equal, so that coverage sees it.

use super::transfer::is_entry_symbol;
use super::{ValueDomain, ValueState};
use assay_base::{FastMap, FastSet};
use assay_semantics::state::{State, Value};
use assay_term::{Op, SymbolId, Term, Terms};

impl ValueDomain<'_> {
    pub(super) fn tidy(&self, state: &mut ValueState) {
        let terms = &*self.terms;
        // How often each symbol occurs in values, and whether ever inside a larger term.
        let mut seen: Vec<SymbolId> = Vec::new();
        let mut plain: FastMap<SymbolId, u32> = FastMap::default();
        let mut walked: FastSet<Term> = FastSet::default();
        // In how many places each larger term stands.
        let mut places: FastMap<Term, u32> = FastMap::default();
        state.values.for_each_value(|value| {
            if let Value::Term(term) = value {
                let node = terms.node(term);
                if node.op == Op::Symbol {
                    *plain.entry(node.symbol()).or_insert_with(|| {
                        seen.push(node.symbol());
                        0
                    }) += 1;
                    return;
                }
                *places.entry(term).or_default() += 1;
                if walked.insert(term) {
                    for symbol in terms.free_symbols(term) {
                        *plain.entry(symbol).or_insert_with(|| {
                            seen.push(symbol);
                            0
                        }) += 2;
                    }
                }
            }
        });
        state.values.for_each_object(|_, object| {
            if let Some(base) = object.base {
                let symbol = terms.node(base).symbol();
                plain.entry(symbol).or_insert_with(|| {
                    seen.push(symbol);
                    0
                });
            }
        });
        if seen.is_empty() && state.constraints.is_empty() {
            state.values.symbols = 0;
            return;
        }
        let mut held: FastSet<SymbolId> = plain.keys().copied().collect();
        // What a block is entered with is held outside.
        for constraint in state.constraints.iter() {
            held.extend(terms.free_symbols(constraint.term).into_iter().filter(|&s| is_entry_symbol(terms.symbol_name(s))));
        }
        let relevant = self.relevant_constraints(state, &held);
        state.constraints = state.constraints.filtered(|c| relevant.contains(&c.term));
        let mut constrained: FastSet<SymbolId> = FastSet::default();
        for constraint in state.constraints.iter() {
            constrained.extend(terms.free_symbols(constraint.term));
        }
        let mut names = Renaming::new(terms);
        if self.options.forget_independent {
            names.free = self.independent(&plain, &places, &constrained);
            names.changed = !names.free.is_empty();
            let kept: FastSet<SymbolId> =
                places.keys().filter(|term| !names.free.contains(term)).flat_map(|&term| terms.free_symbols(term)).collect();
            // Symbols by themselves are in the count beyond the terms that they occur in.
            seen.retain(|symbol| names.free.is_empty() || kept.contains(symbol) || plain[symbol] != 2 || constrained.contains(symbol));
        }
        // A symbol that occurs once and is not constrained says nothing: the value is unknown.
        for symbol in seen {
            let count = plain[&symbol];
            if count == 1 && !constrained.contains(&symbol) {
                names.forget(symbol);
            } else {
                names.rename(symbol);
            }
        }
        let order: Vec<Term> = state.constraints.iter().map(|c| c.term).collect();
        for term in order {
            for symbol in terms.free_symbols(term) {
                names.rename(symbol);
            }
        }
        if names.changes() {
            names.apply(&mut state.values);
            state.constraints = state.constraints.mapped(|c| Some(names.term(c.term)));
            state.model = None;
        }
        state.values.symbols = names.next;
    }

    /// The terms that stand in one place and are a bijection of a symbol that occurs nowhere else: whatever the rest of
    /// the state is, such a value can be anything. (Inputs are found by following the path anew, so nothing has to be
    /// inverted for them.)
    fn independent(&self, counts: &FastMap<SymbolId, u32>, places: &FastMap<Term, u32>, constrained: &FastSet<SymbolId>) -> FastSet<Term> {
        let terms = &*self.terms;
        let alone = |symbol: SymbolId| {
            // One larger term counts two.
            counts.get(&symbol) == Some(&2) && !constrained.contains(&symbol) && super::transfer::is_input_symbol(terms.symbol_name(symbol))
        };
        let free = places.iter().filter(|&(&term, &count)| {
            count == 1 && terms.free_symbols(term).into_iter().any(|symbol| alone(symbol) && is_bijection(terms, term, symbol))
        });
        free.map(|(&term, _)| term).collect()
    }

    /// The constraints that share symbols, directly or through others, with what the state holds. The others were
    /// satisfiable by themselves and can never matter again.
    pub(super) fn relevant_constraints(&self, state: &ValueState, held: &FastSet<SymbolId>) -> FastSet<Term> {
        let parts: Vec<(Term, Vec<SymbolId>)> = state.constraints.iter().map(|c| (c.term, self.terms.free_symbols(c.term))).collect();
        let mut users: FastMap<SymbolId, Vec<usize>> = FastMap::default();
        for (index, (_, symbols)) in parts.iter().enumerate() {
            for &symbol in symbols {
                users.entry(symbol).or_default().push(index);
            }
        }
        let mut relevant = FastSet::default();
        let mut work: Vec<SymbolId> = held.iter().copied().filter(|s| users.contains_key(s)).collect();
        let mut done: FastSet<SymbolId> = work.iter().copied().collect();
        while let Some(symbol) = work.pop() {
            for &index in users.get(&symbol).into_iter().flatten() {
                let (term, symbols) = &parts[index];
                if relevant.insert(*term) {
                    work.extend(symbols.iter().copied().filter(|s| done.insert(*s)));
                }
            }
        }
        relevant
    }
}

/// Numbers symbols anew. Bases of objects keep their names.
struct Renaming<'t> {
    terms: &'t Terms,
    map: FastMap<SymbolId, Option<Term>>,
    next: u32,
    changed: bool,
    /// Terms that become unknown.
    free: FastSet<Term>,
}

impl<'t> Renaming<'t> {
    fn new(terms: &'t Terms) -> Self {
        Renaming { terms, map: FastMap::default(), next: 0, changed: false, free: FastSet::default() }
    }
    fn rename(&mut self, symbol: SymbolId) {
        if self.map.contains_key(&symbol) || !super::transfer::is_input_symbol(self.terms.symbol_name(symbol)) {
            return;
        }
        let new = super::transfer::input_symbol(self.terms, self.next, self.terms.symbol_info(symbol).sort.width());
        self.next += 1;
        self.changed |= self.terms.node(new).symbol() != symbol;
        self.map.insert(symbol, Some(new));
    }
    fn forget(&mut self, symbol: SymbolId) {
        if super::transfer::is_input_symbol(self.terms.symbol_name(symbol)) {
            self.changed = true;
            self.map.insert(symbol, None);
        }
    }
    fn changes(&self) -> bool {
        self.changed
    }
    fn term(&self, term: Term) -> Term {
        self.terms.substitute(term, &mut |node| match node.op {
            Op::Symbol => self.map.get(&node.symbol()).copied().flatten(),
            _ => None,
        })
    }
    fn apply(&self, values: &mut State) {
        values.map_terms(&mut |term| {
            let node = self.terms.node(term);
            if node.op == Op::Symbol {
                return match self.map.get(&node.symbol()) {
                    Some(Some(new)) => Some(Value::Term(*new)),
                    Some(None) => Some(Value::Unknown),
                    None => None,
                };
            }
            if self.free.contains(&term) {
                return Some(Value::Unknown);
            }
            Some(Value::Term(self.term(term)))
        });
    }
}

/// Whether the term takes every value exactly once as the symbol does, whatever the other symbols are.
fn is_bijection(terms: &Terms, term: Term, symbol: SymbolId) -> bool {
    let has = |term: Term| terms.free_symbols(term).contains(&symbol);
    let mut at = term;
    loop {
        let node = terms.node(at);
        at = match node.op {
            Op::Symbol => return node.symbol() == symbol,
            Op::Not | Op::Neg => node.operand(0),
            Op::Add | Op::Xor => match (has(node.operand(0)), has(node.operand(1))) {
                (true, false) => node.operand(0),
                (false, true) => node.operand(1),
                _ => return false,
            },
            // Odd factors have inverses; even ones lose bits.
            Op::Mul => match terms.as_constant(node.operand(1)) {
                Some(factor) if factor.value() & 1 == 1 => node.operand(0),
                _ => return false,
            },
            _ => return false,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_term::Sort;

    #[test]
    fn bijections_are_told_from_what_loses_bits() {
        let terms = Terms::new();
        let (s, t) = (terms.named("in!0!8", Sort::bv(8)), terms.named("in!1!8", Sort::bv(8)));
        let number = |value: u128| terms.number(8, value);
        let symbol = terms.node(s).symbol();
        let shifted = terms.add(s, number(7));
        let yes = [s, terms.not(s), terms.neg(shifted), terms.mul(shifted, number(3)), terms.add(terms.mul(t, t), shifted)];
        let no = [terms.mul(s, number(2)), terms.add(s, terms.mul(s, t)), terms.and(s, number(15)), t, terms.mul(s, t)];
        yes.iter().for_each(|&term| assert!(is_bijection(&terms, term, symbol), "{}", terms.display(term)));
        no.iter().for_each(|&term| assert!(!is_bijection(&terms, term, symbol), "{}", terms.display(term)));
    }
}
