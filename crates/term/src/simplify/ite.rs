//! Rules of `ite`, and operators on an `ite` of constants.

use super::{Goal, Rules, constant_of};
use crate::bits::Bits;
use crate::float::{FloatFormat, makes_float};
use crate::node::{Node, Op, Sort, Term};

impl Rules<'_> {
    /// An operator whose operands are constants and `ite`s of constants with one condition is such an `ite`.
    pub(super) fn lift_ite(&self, g: &Goal) -> Option<Term> {
        let arity = g.op.arity();
        if arity > 2 || g.x.op != Op::Ite && (arity < 2 || g.y.op != Op::Ite) {
            return None;
        }
        let mut condition = None;
        let mut then = [Bits::FALSE; 2];
        let mut otherwise = [Bits::FALSE; 2];
        for (i, node) in [g.x, g.y][..arity].iter().enumerate() {
            match node.op {
                Op::Const => {
                    then[i] = Bits::new(node.width(), node.constant());
                    otherwise[i] = then[i];
                }
                Op::Ite => {
                    if condition.is_some_and(|c| c != node.operand(0)) {
                        return None;
                    }
                    condition = Some(node.operand(0));
                    then[i] = self.terms.as_constant(node.operand(1))?;
                    otherwise[i] = self.terms.as_constant(node.operand(2))?;
                }
                _ => return None,
            }
        }
        let words = [g.a.0, g.b.0, g.high, g.low];
        let then = self.fold(g.op, g.round, g.sort, words, &then[..arity])?;
        let otherwise = self.fold(g.op, g.round, g.sort, words, &otherwise[..arity])?;
        let (then, otherwise) = (self.terms.constant(then), self.terms.constant(otherwise));
        Some(self.ite(condition?, then, otherwise))
    }

    pub(super) fn simplify_ite(&self, g: &Goal) -> Option<Term> {
        let (condition, then, otherwise) = (g.a, g.b, g.c);
        if let Some(k) = constant_of(g.x) {
            return Some(if k == 1 { then } else { otherwise });
        }
        if then == otherwise {
            return Some(then);
        }
        if g.x.op == Op::Not {
            return Some(self.ite(g.x.operand(0), otherwise, then));
        }
        if g.y.op == Op::Ite && g.y.a == condition.0 {
            return Some(self.ite(condition, g.y.operand(1), otherwise));
        }
        if g.z.op == Op::Ite && g.z.a == condition.0 {
            return Some(self.ite(condition, then, g.z.operand(2)));
        }
        if g.sort == Sort::BOOL {
            return self.ite_of_truth(g);
        }
        // x == y chooses between x and y.
        if g.x.op == Op::Eq && self.other_operand(g.x, then) == Some(otherwise) {
            return Some(otherwise);
        }
        // Where the result of a float operator is not a number, it is the canonical pattern already.
        if g.x.op == Op::FEq
            && g.x.a == g.x.b
            && g.x.a == then.0
            && makes_float(g.y.op)
            && constant_of(g.z) == FloatFormat::of_width(g.sort.width()).map(FloatFormat::nan)
        {
            return Some(then);
        }
        // Two conditions that choose the same value.
        if g.z.op == Op::Ite {
            let inner = g.z.operand(0);
            if g.z.b == then.0 {
                let either = self.or(condition, inner);
                return Some(self.ite(either, then, g.z.operand(2)));
            }
            if g.z.c == then.0 {
                let negated = self.not(condition);
                let both = self.and(negated, inner);
                return Some(self.ite(both, g.z.operand(1), then));
            }
        }
        if g.y.op == Op::Ite {
            let inner = g.y.operand(0);
            if g.y.c == otherwise.0 {
                let both = self.and(condition, inner);
                return Some(self.ite(both, g.y.operand(1), otherwise));
            }
            if g.y.b == otherwise.0 {
                let negated = self.not(inner);
                let both = self.and(condition, negated);
                return Some(self.ite(both, g.y.operand(2), otherwise));
            }
        }
        if g.sort.is_array() {
            return None;
        }
        let width = g.sort.width();
        if let (Some(p), Some(q)) = (constant_of(g.y), constant_of(g.z)) {
            let ones = Bits::mask(width);
            let (op, negated) = match (p, q) {
                (1, 0) => (Op::ZeroExtend, false),
                (0, 1) => (Op::ZeroExtend, true),
                _ if p == ones && q == 0 => (Op::SignExtend, false),
                _ if p == 0 && q == ones => (Op::SignExtend, true),
                _ => return None,
            };
            let condition = if negated { self.not(condition) } else { condition };
            return Some(self.extend(op, condition, width));
        }
        self.factor_ite(g, width)
    }

    fn ite_of_truth(&self, g: &Goal) -> Option<Term> {
        let (condition, then, otherwise) = (g.a, g.b, g.c);
        match (constant_of(g.y), constant_of(g.z)) {
            (Some(1), Some(_)) => return Some(condition),
            (Some(_), Some(_)) => return Some(self.not(condition)),
            (Some(1), None) => return Some(self.or(condition, otherwise)),
            (Some(_), None) => {
                let negated = self.not(condition);
                return Some(self.and(negated, otherwise));
            }
            (None, Some(1)) => {
                let negated = self.not(condition);
                return Some(self.or(negated, then));
            }
            (None, Some(_)) => return Some(self.and(condition, then)),
            (None, None) => {}
        }
        if then == condition {
            return Some(self.or(condition, otherwise));
        }
        if otherwise == condition {
            return Some(self.and(condition, then));
        }
        if self.is_complement((then, g.y), (otherwise, g.z)) {
            return Some(self.eq(condition, then));
        }
        None
    }

    /// What both branches have in common goes outside: `ite(c, f(p), f(q))` is `f(ite(c, p, q))`.
    fn factor_ite(&self, g: &Goal, width: u32) -> Option<Term> {
        let (y, z) = (g.y, g.z);
        if y.op == z.op {
            match y.op {
                Op::Not | Op::Neg => {
                    let inner = self.ite(g.a, y.operand(0), z.operand(0));
                    return Some(self.unary(y.op, inner));
                }
                Op::ZeroExtend | Op::SignExtend => {
                    let (p, q) = (y.operand(0), z.operand(0));
                    if self.terms.width(p) == self.terms.width(q) {
                        let inner = self.ite(g.a, p, q);
                        return Some(self.extend(y.op, inner, width));
                    }
                }
                Op::And | Op::Or | Op::Xor | Op::Add | Op::Mul => {
                    for (part, rest) in [(y.operand(0), y.operand(1)), (y.operand(1), y.operand(0))] {
                        if let Some(other) = self.other_operand(z, part) {
                            let inner = self.ite(g.a, rest, other);
                            return Some(self.binary(y.op, part, inner));
                        }
                    }
                }
                Op::Concat => {
                    let (p, q, r, s) = (y.operand(0), y.operand(1), z.operand(0), z.operand(1));
                    if p == r {
                        let inner = self.ite(g.a, q, s);
                        return Some(self.concat(p, inner));
                    }
                    if q == s {
                        let inner = self.ite(g.a, p, r);
                        return Some(self.concat(inner, q));
                    }
                }
                _ => {}
            }
        }
        // ite(c, x + k, x) = x + ite(c, k, 0)
        if width <= Bits::MAX_WIDTH {
            let added = |sum: &Node, base: Term| if sum.op == Op::Add { self.other_operand(sum, base) } else { None };
            if let Some(rest) = added(y, g.c) {
                let zero = self.number(width, 0);
                let inner = self.ite(g.a, rest, zero);
                return Some(self.add(g.c, inner));
            }
            if let Some(rest) = added(z, g.b) {
                let zero = self.number(width, 0);
                let inner = self.ite(g.a, zero, rest);
                return Some(self.add(g.b, inner));
            }
        }
        None
    }
}
