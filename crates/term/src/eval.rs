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
    if node.op.is_integer() || node.sort.is_integer() && node.op == Op::Const {
        return crate::integer::apply(node, operands);
    }
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

/// What a term's leaves mean: the values of symbols, of the elements of array symbols and of uninterpreted
/// functions. `None` where there is no value; what needs it has none then.
pub trait Assignment {
    /// The value of a `Symbol` or `Address` node of bit-vector sort.
    fn value(&mut self, leaf: &Node) -> Option<Bits>;
    /// The element of an array symbol at an index.
    fn element(&mut self, array: &Node, index: Bits) -> Option<Bits>;
    /// The value of an `Apply` node whose arguments have these values.
    fn apply(&mut self, node: &Node, arguments: &[Option<Bits>]) -> Option<Bits>;
}

/// An assignment without arrays, from a function of leaves (`Symbol`, `Address` and `Apply` nodes).
struct Leaves<'a>(&'a mut dyn FnMut(&Node) -> Option<Bits>);

impl Assignment for Leaves<'_> {
    fn value(&mut self, leaf: &Node) -> Option<Bits> {
        (self.0)(leaf)
    }
    fn element(&mut self, _: &Node, _: Bits) -> Option<Bits> {
        None
    }
    fn apply(&mut self, node: &Node, _: &[Option<Bits>]) -> Option<Bits> {
        (self.0)(node)
    }
}

/// The value of a term under an assignment of its symbols. `None` where a needed symbol has no value or an
/// operator has none (arrays, addresses). Both branches of an `ite` need not have a value.
pub fn evaluate(terms: &Terms, root: Term, lookup: &mut dyn FnMut(&Node) -> Option<Bits>) -> Option<Bits> {
    let node = terms.node(root);
    if node.tree_size() <= SMALL {
        return evaluate_small(terms, root, &node, lookup);
    }
    evaluate_in(terms, root, &mut Leaves(lookup))
}

/// The value of a term that is evaluated without a memo because it is small; nothing said of others.
pub fn evaluate_if_small(terms: &Terms, root: Term, lookup: &mut dyn FnMut(&Node) -> Option<Bits>) -> Option<Bits> {
    let node = terms.node(root);
    (node.tree_size() <= SMALL).then(|| evaluate_small(terms, root, &node, lookup)).flatten()
}

/// Terms of at most this size as a tree are evaluated by recursion, without a memo.
const SMALL: u16 = 64;

fn evaluate_small(terms: &Terms, term: Term, node: &Node, lookup: &mut dyn FnMut(&Node) -> Option<Bits>) -> Option<Bits> {
    let (operands, arity) = node.operands();
    match node.op {
        Op::Symbol | Op::Address | Op::Apply => return lookup(node),
        Op::Ite => {
            let condition = evaluate_small(terms, operands[0], &terms.node(operands[0]), lookup)?;
            let chosen = operands[if condition.is_true() { 1 } else { 2 }];
            return evaluate_small(terms, chosen, &terms.node(chosen), lookup);
        }
        Op::Select => return evaluate_in(terms, term, &mut Leaves(lookup)),
        _ => {}
    }
    let mut values = [Bits::FALSE; 3];
    for i in 0..arity {
        values[i] = evaluate_small(terms, operands[i], &terms.node(operands[i]), lookup)?;
    }
    apply(node, &values[..arity])
}

/// A value of any sort while a term is evaluated. Arrays are indices into a list of parts, so that long chains of
/// writes cost nothing to share and nothing to drop.
#[derive(Clone, Copy)]
enum Value {
    None,
    Bits(Bits),
    Array(u32),
}

#[derive(Clone, Copy)]
enum ArrayPart {
    Symbol(Term),
    Everywhere(Bits),
    Write { under: u32, index: Bits, value: Bits },
}

/// As [`evaluate`], with arrays and uninterpreted functions.
pub fn evaluate_in(terms: &Terms, root: Term, assignment: &mut dyn Assignment) -> Option<Bits> {
    Evaluation::default().evaluate(terms, root, assignment)
}

/// The values of many terms under one assignment: what they share is evaluated once.
#[derive(Default)]
pub struct Evaluation {
    memo: FastMap<Term, Value>,
    arrays: Vec<ArrayPart>,
    stack: Vec<Term>,
}

impl Evaluation {
    /// As [`evaluate_in`]; the assignment is the same for all terms that are asked for.
    pub fn evaluate(&mut self, terms: &Terms, root: Term, assignment: &mut dyn Assignment) -> Option<Bits> {
        let Evaluation { memo, arrays, stack } = self;
        stack.push(root);
        while let Some(&term) = stack.last() {
            if memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            let node = terms.node(term);
            let waiting = stack.len();
            if node.op == Op::Ite {
                // Only what is chosen has to have a value.
                match memo.get(&node.operand(0)) {
                    None => stack.push(node.operand(0)),
                    Some(Value::Bits(condition)) => {
                        let chosen = node.operand(if condition.is_true() { 1 } else { 2 });
                        stack.extend((!memo.contains_key(&chosen)).then_some(chosen));
                    }
                    Some(_) => {}
                }
            } else {
                stack.extend(terms.operands_of(&node).filter(|o| !memo.contains_key(o)));
            }
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let value = combine(terms, term, &node, memo, arrays, assignment);
            memo.insert(term, value);
        }
        match memo[&root] {
            Value::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    /// As [`evaluate`](evaluate()), for one of several terms; the same leaves have the same values for all of them.
    pub fn evaluate_one(&mut self, terms: &Terms, root: Term, lookup: &mut dyn FnMut(&Node) -> Option<Bits>) -> Option<Bits> {
        let node = terms.node(root);
        if node.tree_size() <= SMALL {
            return evaluate_small(terms, root, &node, lookup);
        }
        self.evaluate(terms, root, &mut Leaves(lookup))
    }

    /// How many terms it remembers.
    pub fn len(&self) -> usize {
        self.memo.len()
    }

    /// Whether it remembers none.
    pub fn is_empty(&self) -> bool {
        self.memo.is_empty()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.memo.clear();
        self.arrays.clear();
    }
}

fn combine(
    terms: &Terms,
    term: Term,
    node: &Node,
    memo: &FastMap<Term, Value>,
    arrays: &mut Vec<ArrayPart>,
    assignment: &mut dyn Assignment,
) -> Value {
    let operand = |i: usize| memo[&node.operand(i)];
    let mut array = |part: ArrayPart| {
        arrays.push(part);
        Value::Array(arrays.len() as u32 - 1)
    };
    let bits = |value: Option<Bits>| value.map_or(Value::None, Value::Bits);
    match node.op {
        Op::Symbol if node.sort.is_array() => array(ArrayPart::Symbol(term)),
        Op::Symbol | Op::Address => bits(assignment.value(node)),
        Op::Apply => {
            let arguments: Vec<Option<Bits>> = terms
                .arguments(node)
                .iter()
                .map(|argument| match memo[argument] {
                    Value::Bits(bits) => Some(bits),
                    _ => None,
                })
                .collect();
            bits(assignment.apply(node, &arguments))
        }
        Op::Ite => match operand(0) {
            Value::Bits(condition) => operand(if condition.is_true() { 1 } else { 2 }),
            _ => Value::None,
        },
        Op::ConstArray => match operand(0) {
            Value::Bits(value) => array(ArrayPart::Everywhere(value)),
            _ => Value::None,
        },
        Op::Store => match (operand(0), operand(1), operand(2)) {
            (Value::Array(under), Value::Bits(index), Value::Bits(value)) => array(ArrayPart::Write { under, index, value }),
            _ => Value::None,
        },
        Op::Select => match (operand(0), operand(1)) {
            (Value::Array(part), Value::Bits(index)) => bits(read(terms, arrays, part, index, assignment)),
            _ => Value::None,
        },
        _ => {
            let arity = node.op.arity();
            let mut values = [Bits::FALSE; 3];
            for (i, slot) in values.iter_mut().enumerate().take(arity) {
                match operand(i) {
                    Value::Bits(value) => *slot = value,
                    _ => return Value::None,
                }
            }
            bits(apply(node, &values[..arity]))
        }
    }
}

fn read(terms: &Terms, arrays: &[ArrayPart], mut part: u32, at: Bits, assignment: &mut dyn Assignment) -> Option<Bits> {
    loop {
        match arrays[part as usize] {
            ArrayPart::Symbol(term) => return assignment.element(&terms.node(term), at),
            ArrayPart::Everywhere(value) => return Some(value),
            ArrayPart::Write { index, value, .. } if index == at => return Some(value),
            ArrayPart::Write { under, .. } => part = under,
        }
    }
}
