//! Projection of symbols that are no longer needed, through equations that define them.

use crate::chain::parts::{Key, Splitter, key_of_value};
use assay_term::{Op, SymbolId, Term, Terms};

/// An equation that can be solved for a symbol: `symbol = value`.
fn definition(terms: &Terms, constraint: Term, dead: &dyn Fn(Key) -> bool, splitter: &mut Splitter) -> Option<(SymbolId, Term)> {
    let node = terms.node(constraint);
    let (node, flipped) = match node.op {
        Op::Not => (terms.node(node.operand(0)), true),
        _ => (node, false),
    };
    // A truth value by itself, or negated, defines itself.
    if node.op == Op::Symbol && node.width() == 1 && dead(key_of_value(node.symbol())) {
        return Some((node.symbol(), terms.bool(!flipped)));
    }
    if flipped || node.op != Op::Eq {
        return None;
    }
    for (side, other) in [(node.operand(0), node.operand(1)), (node.operand(1), node.operand(0))] {
        if let Some(found) = solve(terms, side, other, dead, splitter) {
            return Some(found);
        }
    }
    None
}

/// Solves `side = other` for a dead symbol in a sum on one side.
fn solve(terms: &Terms, side: Term, other: Term, dead: &dyn Fn(Key) -> bool, splitter: &mut Splitter) -> Option<(SymbolId, Term)> {
    let (mut side, mut value) = (side, other);
    loop {
        let node = terms.node(side);
        match node.op {
            Op::Symbol => {
                let key = key_of_value(node.symbol());
                let free = dead(key) && !splitter.keys(terms, value).contains(&key);
                return free.then(|| (node.symbol(), value));
            }
            Op::Neg => (side, value) = (node.operand(0), terms.neg(value)),
            Op::Not => (side, value) = (node.operand(0), terms.not(value)),
            Op::Add | Op::Xor => {
                // Follow the operand that has a dead symbol.
                let has_dead = |splitter: &mut Splitter, t: Term| splitter.keys(terms, t).iter().any(|&k| dead(k));
                let (a, b) = (node.operand(0), node.operand(1));
                let (next, rest) = if has_dead(splitter, a) { (a, b) } else { (b, a) };
                if !has_dead(splitter, next) {
                    return None;
                }
                value = if node.op == Op::Add { terms.sub(value, rest) } else { terms.xor(value, rest) };
                side = next;
            }
            _ => return None,
        }
    }
}

/// Eliminates dead symbols as far as definitions reach; the result is equivalent to the constraints with the
/// eliminated symbols quantified away. Constraints that still have dead symbols are left in.
pub(super) fn eliminate(terms: &Terms, constraints: &[Term], dead: &dyn Fn(Key) -> bool, splitter: &mut Splitter) -> Vec<Term> {
    let mut list = constraints.to_vec();
    loop {
        let found = list.iter().enumerate().find_map(|(i, &c)| definition(terms, c, dead, splitter).map(|d| (i, d)));
        let Some((place, (symbol, value))) = found else { return list };
        list.remove(place);
        for constraint in &mut list {
            *constraint = terms.substitute(*constraint, &mut |node| (node.op == Op::Symbol && node.symbol() == symbol).then_some(value));
        }
        list.retain(|&c| !terms.is_true(c));
        if let Some(&contradiction) = list.iter().find(|&&c| terms.is_false(c)) {
            return vec![contradiction];
        }
    }
}
