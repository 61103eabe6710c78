//! The rule set that every constructor runs through before a node is interned.
//!
//! Each rule is an equality that holds for all values (tested against the evaluator), makes the term smaller or
//! brings it to a normal form, and looks at most two levels deep, so that construction stays constant time.

use crate::bits::Bits;
use crate::eval;
use crate::node::{Node, Op, Round, Sort, Term};
use crate::store::Terms;

impl Terms {
    /// Simplifies and interns an operator with operands.
    pub(crate) fn make(&self, op: Op, round: Round, sort: Sort, mut words: [u32; 4]) -> Term {
        let arity = op.arity();
        if op.is_commutative() && self.comes_after(Term(words[0]), Term(words[1])) {
            words.swap(0, 1);
        }
        let node = Node { op, round, tree_size: 0, sort, a: words[0], b: words[1], c: words[2], d: words[3], fingerprint: 0 };
        let mut values = [Bits::FALSE; 3];
        let mut constant = [None; 3];
        for i in 0..arity {
            constant[i] = self.as_constant(Term(words[i]));
        }
        if constant[..arity].iter().all(Option::is_some) {
            for i in 0..arity {
                values[i] = constant[i].unwrap_or(Bits::FALSE);
            }
            if let Some(bits) = eval::apply(&node, &values[..arity]) {
                return self.constant(bits);
            }
        }
        if let Some(simpler) = self.simplify(&node, &constant) {
            return simpler;
        }
        self.intern(op, round, sort, words)
    }

    /// The order of operands of commutative operators: constants last, else by structure, never by id.
    fn comes_after(&self, a: Term, b: Term) -> bool {
        let (x, y) = (self.node(a), self.node(b));
        (x.op == Op::Const, x.fingerprint) > (y.op == Op::Const, y.fingerprint)
    }

    fn simplify(&self, node: &Node, constant: &[Option<Bits>; 3]) -> Option<Term> {
        let (a, b, c) = (Term(node.a), Term(node.b), Term(node.c));
        let width = node.width();
        match node.op {
            Op::Not | Op::Neg => {
                let inner = self.node(a);
                (inner.op == node.op).then(|| inner.operand(0))
            }
            Op::And => match constant[1] {
                Some(k) if k.is_zero() => Some(b),
                Some(k) if k.is_all_ones() => Some(a),
                _ if a == b => Some(a),
                _ if self.is_complement(a, b) => Some(self.number(width, 0)),
                _ => None,
            },
            Op::Or => match constant[1] {
                Some(k) if k.is_zero() => Some(a),
                Some(k) if k.is_all_ones() => Some(b),
                _ if a == b => Some(a),
                _ if self.is_complement(a, b) => Some(self.constant(Bits::new(width, u128::MAX))).filter(|_| width <= 128),
                _ => None,
            },
            Op::Xor => match constant[1] {
                Some(k) if k.is_zero() => Some(a),
                Some(k) if k.is_all_ones() => Some(self.not(a)),
                _ if a == b => Some(self.number(width, 0)),
                _ => None,
            },
            Op::Add => self.simplify_add(a, b, constant[1], width),
            Op::Mul => match constant[1] {
                Some(k) if k.is_zero() => Some(b),
                Some(k) if k.value() == 1 => Some(a),
                Some(k) if k.is_all_ones() => Some(self.neg(a)),
                _ => None,
            },
            Op::UnsignedDiv | Op::SignedDiv => match constant[1] {
                Some(k) if k.value() == 1 && width > 1 => Some(a),
                Some(k) if node.op == Op::UnsignedDiv && k.value().is_power_of_two() => {
                    let shift = self.number(width, k.value().trailing_zeros() as u128);
                    Some(self.binary(Op::ShiftRight, a, shift))
                }
                _ => None,
            },
            Op::UnsignedRem => match constant[1] {
                Some(k) if k.value().is_power_of_two() => {
                    let mask = self.number(width, k.value() - 1);
                    Some(self.and(a, mask))
                }
                _ => None,
            },
            Op::ShiftLeft | Op::ShiftRight | Op::ShiftRightSigned => match (constant[0], constant[1]) {
                (_, Some(k)) if k.is_zero() => Some(a),
                (_, Some(k)) if k.value() >= width as u128 && node.op != Op::ShiftRightSigned => Some(self.number(width, 0)),
                (Some(k), _) if k.is_zero() => Some(a),
                _ => None,
            },
            Op::Eq => self.simplify_eq(a, b, constant[1]),
            Op::UnsignedLess => match (constant[0], constant[1]) {
                _ if a == b => Some(self.false_()),
                (_, Some(k)) if k.is_zero() => Some(self.false_()),
                (Some(k), _) if k.is_all_ones() => Some(self.false_()),
                (_, Some(k)) if k.value() == 1 => {
                    let zero = self.number(k.width(), 0);
                    Some(self.eq(a, zero))
                }
                (Some(k), _) if k.is_zero() => Some(self.is_nonzero_of(b)),
                _ => None,
            },
            Op::SignedLess => (a == b).then(|| self.false_()),
            Op::Extract => self.simplify_extract(a, node.high(), node.low()),
            Op::ZeroExtend | Op::SignExtend => {
                let inner = self.node(a);
                match (node.op, inner.op) {
                    (_, Op::ZeroExtend) => Some(self.zero_extend(inner.operand(0), width)),
                    (Op::SignExtend, Op::SignExtend) => Some(self.sign_extend(inner.operand(0), width)),
                    _ => None,
                }
            }
            Op::Concat => match constant[0] {
                Some(k) if k.is_zero() => Some(self.zero_extend(b, width)),
                _ => {
                    let (x, y) = (self.node(a), self.node(b));
                    let adjacent = x.op == Op::Extract && y.op == Op::Extract && x.a == y.a && x.low() == y.high() + 1;
                    adjacent.then(|| self.extract(Term(x.a), x.high(), y.low()))
                }
            },
            Op::Ite => match constant[0] {
                Some(k) => Some(if k.is_true() { b } else { c }),
                None if b == c => Some(b),
                None => {
                    let condition = self.node(a);
                    if condition.op == Op::Not {
                        return Some(self.ite(condition.operand(0), c, b));
                    }
                    match (constant[1], constant[2]) {
                        (Some(x), Some(y)) if x.is_true() && y == Bits::FALSE => Some(a),
                        (Some(x), Some(y)) if x == Bits::FALSE && y.is_true() => Some(self.not(a)),
                        _ => None,
                    }
                }
            },
            Op::Select => self.simplify_select(a, b),
            _ => None,
        }
    }

    fn is_complement(&self, a: Term, b: Term) -> bool {
        let (x, y) = (self.node(a), self.node(b));
        x.op == Op::Not && x.operand(0) == b || y.op == Op::Not && y.operand(0) == a
    }

    fn is_nonzero_of(&self, a: Term) -> Term {
        let zero = self.number(self.width(a), 0);
        self.ne(a, zero)
    }

    fn simplify_add(&self, a: Term, b: Term, constant: Option<Bits>, width: u32) -> Option<Term> {
        let x = self.node(a);
        if let Some(k) = constant {
            if k.is_zero() {
                return Some(a);
            }
            // (x + c) + k = x + (c + k)
            if x.op == Op::Add
                && let Some(inner) = self.as_constant(x.operand(1))
            {
                let sum = self.number(width, inner.value().wrapping_add(k.value()));
                return Some(self.add(x.operand(0), sum));
            }
            return None;
        }
        let y = self.node(b);
        if x.op == Op::Neg && x.operand(0) == b || y.op == Op::Neg && y.operand(0) == a {
            return Some(self.number(width, 0));
        }
        // (x + c) + y = (x + y) + c: constants move outwards.
        for (sum, other) in [(x, b), (y, a)] {
            if sum.op == Op::Add && self.node(sum.operand(1)).op == Op::Const {
                let inner = self.add(sum.operand(0), other);
                return Some(self.add(inner, sum.operand(1)));
            }
        }
        None
    }

    fn simplify_eq(&self, a: Term, b: Term, constant: Option<Bits>) -> Option<Term> {
        if a == b {
            return Some(self.true_());
        }
        let k = constant?;
        let x = self.node(a);
        if x.width() == 1 {
            return Some(if k.is_true() { a } else { self.not(a) });
        }
        match x.op {
            // x + c == k  iff  x == k - c
            Op::Add => {
                let inner = self.as_constant(x.operand(1))?;
                let rest = self.number(x.width(), k.value().wrapping_sub(inner.value()));
                Some(self.eq(x.operand(0), rest))
            }
            Op::Neg => {
                let rest = self.number(x.width(), k.value().wrapping_neg());
                Some(self.eq(x.operand(0), rest))
            }
            Op::Not => {
                let rest = self.number(x.width(), !k.value());
                Some(self.eq(x.operand(0), rest))
            }
            Op::ZeroExtend | Op::SignExtend => {
                let narrow = self.width(x.operand(0));
                let cut = Bits::new(narrow, k.value());
                let back = if x.op == Op::ZeroExtend { cut.value() } else { cut.signed() as u128 };
                if Bits::new(x.width(), back) == k {
                    let rest = self.constant(cut);
                    Some(self.eq(x.operand(0), rest))
                } else {
                    Some(self.false_())
                }
            }
            // ite(c, k1, k2) == k  decides the condition where the constants differ.
            Op::Ite => {
                let (then, otherwise) = (self.as_constant(x.operand(1))?, self.as_constant(x.operand(2))?);
                Some(match (then == k, otherwise == k) {
                    (true, true) => self.true_(),
                    (true, false) => x.operand(0),
                    (false, true) => self.not(x.operand(0)),
                    (false, false) => self.false_(),
                })
            }
            _ => None,
        }
    }

    fn simplify_extract(&self, a: Term, high: u32, low: u32) -> Option<Term> {
        let x = self.node(a);
        if low == 0 && high + 1 == x.width() {
            return Some(a);
        }
        match x.op {
            Op::Extract => Some(self.extract(x.operand(0), x.low() + high, x.low() + low)),
            Op::Concat => {
                let split = self.width(x.operand(1));
                if high < split {
                    Some(self.extract(x.operand(1), high, low))
                } else if low >= split {
                    Some(self.extract(x.operand(0), high - split, low - split))
                } else {
                    None
                }
            }
            Op::ZeroExtend | Op::SignExtend => {
                let inner = self.width(x.operand(0));
                if high < inner {
                    Some(self.extract(x.operand(0), high, low))
                } else if low >= inner && x.op == Op::ZeroExtend && high - low < 128 {
                    Some(self.number(high - low + 1, 0))
                } else if low == 0 {
                    Some(self.resize(x.operand(0), high + 1, x.op == Op::SignExtend))
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    fn simplify_select(&self, array: Term, index: Term) -> Option<Term> {
        let node = self.node(array);
        match node.op {
            Op::ConstArray => Some(node.operand(0)),
            Op::Store if node.operand(1) == index => Some(node.operand(2)),
            Op::Store if self.as_constant(node.operand(1)).is_some() && self.as_constant(index).is_some() => {
                Some(self.select(node.operand(0), index))
            }
            _ => None,
        }
    }
}
