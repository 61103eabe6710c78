//! Names of symbols at the borders of blocks.
//!
//! A state in a block stands for a relation between the state at the block's entry and one inside: the caller that
//! applies a summary puts its exits beside values that the block has never seen, so a symbol that both sides hold must
//! keep its meaning while the block is explored. Normal forms and coverage up to names give symbols new meanings.
//! Therefore a reduced state has two kinds of symbols:
//!
//! - *Entry symbols* stand for symbols that something outside of the block holds, too. They have names of their own
//!   (`entry!n`), which nothing inside renames, forgets or substitutes without keeping the equation: what the block
//!   learns about them is what its caller learns.
//! - *Own symbols* are held by nothing outside. They are like symbols that are born in the block: any renaming inside
//!   is one of bound names.
//!
//! Both are numbered in order of appearance, so states that differ only in the names of their symbols have equal
//! reductions. At an exit, entry symbols get their old names back, and all others get names that are fresh outside.
//! Argument: let σ be a valuation of the symbols for which the outer state stands for a concrete state. The block
//! begins in the reduced state under σ after the renaming. If it ends in a state of the exit, there is a valuation τ of
//! the exit's symbols that agrees with σ on entry symbols, since every step, normal form and coverage inside extends or
//! changes the valuation of other symbols only. With fresh names for these, σ and τ together are one valuation of the
//! expanded state: values that the block cannot touch hold under σ, because they mention no fresh name, and all others
//! under τ. Constraints of the outer state hold under σ, those of the exit under τ. Of the former those that mention
//! own symbols are dropped, which is sound; nothing else outside mentions such a symbol, and the exit says them again.

use super::transfer::{entry_symbol, input_symbol, is_entry_symbol, is_input_symbol};
use super::{Constraints, ValueDomain, ValueState};
use assay_base::{FastMap, FastSet};
use assay_cfa::blocks::BlockId;
use assay_semantics::state::{State, Value};
use assay_term::{Op, SymbolId, Term, Terms};
use std::sync::Arc;

/// How the symbols of a state are called inside of a block that begins in it.
pub(super) struct BorderNames {
    /// The names inside.
    inside: FastMap<SymbolId, Term>,
    /// Entry symbols, and what they are outside.
    outside: FastMap<SymbolId, Term>,
    own: FastSet<SymbolId>,
}

/// The names of one state at the entry of one block. A state is reduced, and then expanded with one exit after the
/// other; the names are the same each time. They depend on the order of constraints, so the list must be the same.
pub(super) struct Border {
    block: BlockId,
    values: State,
    constraints: Constraints,
    pub(super) names: Arc<BorderNames>,
}

impl Border {
    pub(super) fn new(block: BlockId, outer: &ValueState, names: BorderNames) -> Self {
        Border { block, values: outer.values.clone(), constraints: outer.constraints.clone(), names: Arc::new(names) }
    }
    /// Whether it is that of this state.
    pub(super) fn is_of(&self, block: BlockId, outer: &ValueState) -> bool {
        self.block == block && self.constraints.is_same_list(&outer.constraints) && self.values == outer.values
    }
}

impl BorderNames {
    /// How many own symbols there are: the first number for one that is born.
    pub(super) fn own_count(&self) -> u32 {
        self.own.len() as u32
    }
    /// Whether nothing outside holds one of the symbols.
    pub(super) fn any_own(&self, symbols: &[SymbolId]) -> bool {
        symbols.iter().any(|symbol| self.own.contains(symbol))
    }
    /// What an entry symbol is outside.
    pub(super) fn outside(&self, symbol: SymbolId) -> Option<Term> {
        self.outside.get(&symbol).copied()
    }
    /// The state with the names that it has inside.
    pub(super) fn rename(&self, terms: &Terms, values: &mut State, constraints: &Constraints) -> Constraints {
        rename(terms, &self.inside, values, constraints)
    }
}

/// Gives symbols of a state other names.
pub(super) fn rename(terms: &Terms, names: &FastMap<SymbolId, Term>, values: &mut State, constraints: &Constraints) -> Constraints {
    let mut memo = FastMap::default();
    let mut replace = |node: &assay_term::Node| match node.op {
        Op::Symbol => names.get(&node.symbol()).copied(),
        _ => None,
    };
    values.map_terms(&mut |term| {
        let new = terms.substitute_with(term, &mut replace, &mut memo);
        (new != term).then_some(Value::Term(new))
    });
    constraints.mapped(|c| Some(terms.substitute_with(c.term, &mut replace, &mut memo)))
}

/// Whether a symbol has a name that may be changed.
pub(super) fn is_renamed(terms: &Terms, symbol: SymbolId) -> bool {
    let name = terms.symbol_name(symbol);
    is_input_symbol(name) || is_entry_symbol(name)
}

impl ValueDomain<'_> {
    /// The names for a state that is cut to `values` and `constraints`.
    pub(super) fn border_names(&self, outer: &ValueState, values: &State, constraints: &Constraints) -> BorderNames {
        let terms = &*self.terms;
        // What stands in more places outside than inside is held by something that was cut.
        let mut places: FastMap<Term, i64> = FastMap::default();
        let mut order: Vec<Term> = Vec::new();
        values.for_each_value(|value| {
            if let Value::Term(term) = value {
                *places.entry(term).or_insert_with(|| {
                    order.push(term);
                    0
                }) -= 1;
            }
        });
        outer.values.for_each_value(|value| {
            if let Value::Term(term) = value {
                *places.entry(term).or_default() += 1;
            }
        });
        let mut held: FastSet<SymbolId> = FastSet::default();
        for (&term, &count) in &places {
            if count > 0 {
                held.extend(terms.free_symbols(term));
            }
        }
        let mut names = BorderNames { inside: FastMap::default(), outside: FastMap::default(), own: FastSet::default() };
        for term in order.into_iter().chain(constraints.iter().map(|c| c.term)) {
            for symbol in terms.free_symbols(term) {
                if names.inside.contains_key(&symbol) || !is_renamed(terms, symbol) {
                    continue;
                }
                let sort = terms.symbol_info(symbol).sort;
                // What is an entry symbol outside is held by the caller that entered that block.
                let new = if held.contains(&symbol) || is_entry_symbol(terms.symbol_name(symbol)) {
                    let new = entry_symbol(terms, names.outside.len() as u32, sort.width());
                    names.outside.insert(terms.node(new).symbol(), terms.named(terms.symbol_name(symbol), sort));
                    new
                } else {
                    let new = input_symbol(terms, names.own.len() as u32, sort.width());
                    names.own.insert(symbol);
                    new
                };
                names.inside.insert(symbol, new);
            }
        }
        names
    }
}
