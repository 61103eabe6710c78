//! Normal forms of symbolic states at loop heads: constraints that concern nothing any more are dropped, symbols that nothing
//! constrains become unknown values, and the rest are numbered in order of appearance. States that differ only
//! in the names of their symbols become equal, so that coverage sees it.

use super::{ValueDomain, ValueState};
use assay_base::{FastMap, FastSet};
use assay_cfa::state::{State, Value};
use assay_term::{Op, SymbolId, Term, Terms};

impl ValueDomain<'_> {
    pub(super) fn tidy(&self, state: &mut ValueState) {
        let terms = &*self.terms;
        // How often each symbol occurs in values, and whether ever inside a larger term.
        let mut seen: Vec<SymbolId> = Vec::new();
        let mut plain: FastMap<SymbolId, u32> = FastMap::default();
        let mut walked: FastSet<Term> = FastSet::default();
        state.values.for_each_value(|value| {
            if let Value::Term(term) = value {
                let node = terms.node(term);
                if node.op == Op::Symbol {
                    *plain.entry(node.symbol()).or_insert_with(|| {
                        seen.push(node.symbol());
                        0
                    }) += 1;
                } else if walked.insert(term) {
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
        let held: FastSet<SymbolId> = plain.keys().copied().collect();
        let relevant = self.relevant_constraints(state, &held);
        state.constraints = state.constraints.filtered(|c| relevant.contains(&c.term));
        let mut constrained: FastSet<SymbolId> = FastSet::default();
        for constraint in state.constraints.iter() {
            constrained.extend(terms.free_symbols(constraint.term));
        }
        // A symbol that occurs once and is not constrained says nothing: the value is unknown.
        let mut names = Renaming::new(terms);
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

    /// The constraints that share symbols, directly or through others, with what the state holds. The others were satisfiable by
    /// themselves and can never matter again.
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
}

impl<'t> Renaming<'t> {
    fn new(terms: &'t Terms) -> Self {
        Renaming { terms, map: FastMap::default(), next: 0, changed: false }
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
        values.map_values(&mut |value| {
            let Value::Term(term) = value else { return None };
            let node = self.terms.node(term);
            if node.op == Op::Symbol {
                return match self.map.get(&node.symbol()) {
                    Some(Some(new)) => Some(Value::Term(*new)),
                    Some(None) => Some(Value::Unknown),
                    None => None,
                };
            }
            Some(Value::Term(self.term(term)))
        });
    }
}
