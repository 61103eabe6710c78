//! Concrete evaluation of operators and terms; the reference meaning of every operator.

use crate::bits::Bits;
use crate::float;
use crate::node::{Node, Op, Term};
use crate::store::Terms;
use assay_base::FastMap;

/// The value of one operator on concrete operands, or `None` where the result is wider than [`Bits`] holds or
/// the operator has no bit-vector value (arrays, symbols).
#[inline]
pub fn apply(node: &Node, operands: &[Bits]) -> Option<Bits> {
    let width = node.width();
    if node.sort.is_array() || width > Bits::MAX_WIDTH {
        return None;
    }
    let bits = |value: u128| Some(Bits::new(width, value));
    let flag = |value: bool| Some(Bits::from_bool(value));
    match (node.op, operands) {
        (Op::Const, []) => bits(node.constant()),
        (Op::Not, [a]) => bits(!a.value()),
        (Op::Neg, [a]) => bits(a.value().wrapping_neg()),
        (Op::And, [a, b]) => bits(a.value() & b.value()),
        (Op::Or, [a, b]) => bits(a.value() | b.value()),
        (Op::Xor, [a, b]) => bits(a.value() ^ b.value()),
        (Op::Add, [a, b]) => bits(a.value().wrapping_add(b.value())),
        (Op::Mul, [a, b]) => bits(a.value().wrapping_mul(b.value())),
        (Op::UnsignedDiv, [a, b]) => bits(a.value().checked_div(b.value()).unwrap_or(u128::MAX)),
        (Op::UnsignedRem, [a, b]) => bits(a.value().checked_rem(b.value()).unwrap_or(a.value())),
        (Op::SignedDiv, [a, b]) => bits(match (b.is_zero(), a.sign_bit()) {
            (true, true) => 1,
            (true, false) => u128::MAX,
            _ => a.signed().wrapping_div(b.signed()) as u128,
        }),
        (Op::SignedRem, [a, b]) => bits(if b.is_zero() { a.value() } else { a.signed().wrapping_rem(b.signed()) as u128 }),
        (Op::ShiftLeft, [a, b]) => bits(if b.value() >= width as u128 { 0 } else { a.value() << b.value() }),
        (Op::ShiftRight, [a, b]) => bits(if b.value() >= width as u128 { 0 } else { a.value() >> b.value() }),
        (Op::ShiftRightSigned, [a, b]) => bits((a.signed() >> b.value().min(width as u128 - 1)) as u128),
        (Op::Eq, [a, b]) => flag(a.value() == b.value()),
        (Op::UnsignedLess, [a, b]) => flag(a.value() < b.value()),
        (Op::SignedLess, [a, b]) => flag(a.signed() < b.signed()),
        (Op::Concat, [a, b]) => bits(a.value() << b.width() | b.value()),
        (Op::Extract, [a]) => bits(a.value() >> node.low()),
        (Op::ZeroExtend, [a]) => bits(a.value()),
        (Op::SignExtend, [a]) => bits(a.signed() as u128),
        (Op::Ite, [c, a, b]) => Some(if c.is_true() { *a } else { *b }),
        (op, _) if op.is_float() => float::apply(node, operands),
        _ => None,
    }
}

/// The value of a term under an assignment of its symbols. `None` where a needed symbol has no value or an
/// operator has none (arrays, addresses). Both branches of an `ite` need not have a value.
pub fn evaluate(terms: &Terms, root: Term, lookup: &mut dyn FnMut(&Node) -> Option<Bits>) -> Option<Bits> {
    let node = terms.node(root);
    if node.tree_size <= 64 {
        return evaluate_small(terms, &node, lookup);
    }
    let mut memo: FastMap<Term, Option<Bits>> = FastMap::default();
    let mut stack = vec![root];
    while let Some(&term) = stack.last() {
        if memo.contains_key(&term) {
            stack.pop();
            continue;
        }
        let node = terms.node(term);
        let (operands, arity) = node.operands();
        let waiting = stack.len();
        stack.extend(operands[..arity].iter().filter(|o| !memo.contains_key(o)));
        if stack.len() > waiting {
            continue;
        }
        stack.pop();
        let value = combine(&node, arity, |i| memo[&operands[i]], lookup);
        memo.insert(term, value);
    }
    memo[&root]
}

fn evaluate_small(terms: &Terms, node: &Node, lookup: &mut dyn FnMut(&Node) -> Option<Bits>) -> Option<Bits> {
    let (operands, arity) = node.operands();
    if node.op == Op::Ite {
        let condition = evaluate_small(terms, &terms.node(operands[0]), lookup)?;
        return evaluate_small(terms, &terms.node(operands[if condition.is_true() { 1 } else { 2 }]), lookup);
    }
    let mut values = [Bits::FALSE; 3];
    for i in 0..arity {
        values[i] = evaluate_small(terms, &terms.node(operands[i]), lookup)?;
    }
    match node.op {
        Op::Symbol | Op::Address | Op::Apply => lookup(node),
        _ => apply(node, &values[..arity]),
    }
}

fn combine(
    node: &Node,
    arity: usize,
    value: impl Fn(usize) -> Option<Bits>,
    lookup: &mut dyn FnMut(&Node) -> Option<Bits>,
) -> Option<Bits> {
    match node.op {
        Op::Symbol | Op::Address | Op::Apply => lookup(node),
        Op::Ite => value(if value(0)?.is_true() { 1 } else { 2 }),
        _ => {
            let mut values = [Bits::FALSE; 3];
            for (i, slot) in values.iter_mut().enumerate().take(arity) {
                *slot = value(i)?;
            }
            apply(node, &values[..arity])
        }
    }
}
