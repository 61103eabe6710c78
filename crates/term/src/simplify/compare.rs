//! Rules of equality and order. With a constant, the normal forms are `x == k` and `x < k`.

use super::{FACT_DEPTH, Goal, Rules, constant_of, fits};
use crate::bits::Bits;
use crate::node::{Node, Op, Term};

/// How long a chain of `ite` may be that a comparison with a constant is pushed into.
const ITE_CHAIN: u32 = 8;

impl Rules<'_> {
    pub(super) fn simplify_eq(&self, g: &Goal) -> Option<Term> {
        if g.a == g.b {
            return Some(self.terms.true_());
        }
        match constant_of(g.y) {
            Some(k) => self.eq_constant(g, k),
            None => self.eq_terms(g),
        }
    }

    fn eq_constant(&self, g: &Goal, k: u128) -> Option<Term> {
        let x = g.x;
        let width = x.width();
        match x.op {
            // x + c == k  iff  x == k - c
            Op::Add => {
                let (p, q) = (x.operand(0), x.operand(1));
                if let Some(inner) = self.value(q) {
                    return Some(self.compare_constant(Op::Eq, p, k.wrapping_sub(inner)));
                }
                if k == 0 {
                    // p - q == 0  iff  p == q
                    for (one, other) in [(p, self.node(q)), (q, self.node(p))] {
                        if other.op == Op::Neg {
                            return Some(self.eq(one, other.operand(0)));
                        }
                    }
                }
            }
            Op::Neg => return Some(self.compare_constant(Op::Eq, x.operand(0), k.wrapping_neg())),
            Op::Not => return Some(self.compare_constant(Op::Eq, x.operand(0), !k)),
            Op::Xor => {
                if let Some(inner) = self.value(x.operand(1)) {
                    return Some(self.compare_constant(Op::Eq, x.operand(0), k ^ inner));
                }
                if k == 0 {
                    return Some(self.eq(x.operand(0), x.operand(1)));
                }
            }
            // x * (odd * 2^s) == k  decides the low bits of x, or has no solution.
            Op::Mul => {
                if let Some(factor) = self.value(x.operand(1)) {
                    let shift = factor.trailing_zeros();
                    if shift >= width || k & Bits::mask(shift) != 0 {
                        return (shift < width).then(|| self.terms.false_());
                    }
                    let quotient = (k >> shift).wrapping_mul(inverse(factor >> shift));
                    let part = self.extract(x.operand(0), width - shift - 1, 0);
                    return Some(self.compare_constant(Op::Eq, part, quotient));
                }
            }
            Op::ZeroExtend | Op::SignExtend => {
                let inner = x.operand(0);
                return Some(if fits(x.op, k, width, self.terms.width(inner)) {
                    self.compare_constant(Op::Eq, inner, k)
                } else {
                    self.terms.false_()
                });
            }
            Op::Concat => {
                let (p, q) = (x.operand(0), x.operand(1));
                let (px, qx) = (self.node(p), self.node(q));
                let split = qx.width();
                let (high, low) = (k >> split, k & Bits::mask(split));
                if let Some(value) = constant_of(px) {
                    return Some(if value == high { self.compare_constant(Op::Eq, q, low) } else { self.terms.false_() });
                }
                if let Some(value) = constant_of(qx) {
                    return Some(if value == low { self.compare_constant(Op::Eq, p, high) } else { self.terms.false_() });
                }
            }
            Op::Ite => {
                if let Some(split) = self.compare_of_ite(g, k) {
                    return Some(split);
                }
            }
            _ => {}
        }
        let (zeros, ones) = self.terms.known_bits_at(g.a, FACT_DEPTH);
        if k & zeros != 0 || !k & ones != 0 {
            return Some(self.terms.false_());
        }
        let (low, high) = self.terms.unsigned_range_at(g.a, FACT_DEPTH);
        (k < low || k > high).then(|| self.terms.false_())
    }

    /// A comparison (second operand the constant `k`) of an `ite` with a constant branch.
    fn compare_of_ite(&self, g: &Goal, k: u128) -> Option<Term> {
        let (condition, then, otherwise) = (g.x.operand(0), g.x.operand(1), g.x.operand(2));
        let holds = |value: u128| {
            let (left, right) = (Bits::new(g.x.width(), value), Bits::new(g.x.width(), k));
            match g.op {
                Op::Eq => left == right,
                Op::UnsignedLess => left.value() < right.value(),
                _ => left.signed() < right.signed(),
            }
        };
        if let Some(value) = self.value(then) {
            if !self.is_short_chain(otherwise) {
                return None;
            }
            let rest = self.compare(g.op, otherwise, g.b);
            return Some(if holds(value) {
                self.or(condition, rest)
            } else {
                let negated = self.not(condition);
                self.and(negated, rest)
            });
        }
        if let Some(value) = self.value(otherwise) {
            if !self.is_short_chain(then) {
                return None;
            }
            let rest = self.compare(g.op, then, g.b);
            return Some(if holds(value) {
                let negated = self.not(condition);
                self.or(negated, rest)
            } else {
                self.and(condition, rest)
            });
        }
        None
    }

    fn is_short_chain(&self, term: Term) -> bool {
        let mut node = self.node(term);
        for _ in 0..ITE_CHAIN {
            if node.op != Op::Ite {
                return true;
            }
            let then = self.node(node.operand(1));
            node = if then.op == Op::Const { self.node(node.operand(2)) } else { then };
        }
        false
    }

    fn eq_terms(&self, g: &Goal) -> Option<Term> {
        let (x, y) = (g.x, g.y);
        if self.is_complement((g.a, x), (g.b, y)) {
            return Some(self.terms.false_());
        }
        if x.op == y.op {
            match x.op {
                Op::Neg | Op::Not => return Some(self.eq(x.operand(0), y.operand(0))),
                Op::ZeroExtend | Op::SignExtend => {
                    let (p, q) = self.common_width(x.op, x.operand(0), y.operand(0));
                    return Some(self.eq(p, q));
                }
                Op::Add | Op::Xor => {
                    for (part, rest) in [(x.operand(0), x.operand(1)), (x.operand(1), x.operand(0))] {
                        if let Some(other) = self.other_operand(y, part) {
                            return Some(self.eq(rest, other));
                        }
                    }
                }
                Op::Concat => {
                    let (p, q, r, s) = (x.operand(0), x.operand(1), y.operand(0), y.operand(1));
                    if p == r {
                        return Some(self.eq(q, s));
                    }
                    if q == s {
                        return Some(self.eq(p, r));
                    }
                }
                Op::Ite if x.a == y.a && (x.b == y.b || x.c == y.c) => {
                    // ite(c, p, q) == ite(c, p, r)  iff  c or q == r
                    return Some(if x.b == y.b {
                        let equal = self.eq(x.operand(2), y.operand(2));
                        self.or(x.operand(0), equal)
                    } else {
                        let equal = self.eq(x.operand(1), y.operand(1));
                        let negated = self.not(x.operand(0));
                        self.or(negated, equal)
                    });
                }
                _ => {}
            }
        }
        for (p, qx) in [(g.a, y), (g.b, x)] {
            match qx.op {
                // p == p + r  iff  r == 0
                Op::Add | Op::Xor => {
                    if let Some(rest) = self.other_operand(qx, p) {
                        return Some(self.compare_constant(Op::Eq, rest, 0));
                    }
                }
                // ite(c, p, r) == p  iff  c or r == p
                Op::Ite if qx.b == p.0 => {
                    let rest = self.eq(qx.operand(2), p);
                    return Some(self.or(qx.operand(0), rest));
                }
                Op::Ite if qx.c == p.0 => {
                    let rest = self.eq(qx.operand(1), p);
                    let negated = self.not(qx.operand(0));
                    return Some(self.or(negated, rest));
                }
                _ => {}
            }
        }
        self.eq_of_offsets(g)
    }

    /// `p + c == q + d`: one constant suffices, on the side that comes first by structure.
    fn eq_of_offsets(&self, g: &Goal) -> Option<Term> {
        let offset = |node: &Node, term: Term| match node.op {
            Op::Add => self.value(node.operand(1)).map_or((term, None), |k| (node.operand(0), Some(k))),
            _ => (term, None),
        };
        let (p, c) = offset(g.x, g.a);
        let (q, d) = offset(g.y, g.b);
        if c.is_none() && d.is_none() {
            return None;
        }
        let difference = c.unwrap_or(0).wrapping_sub(d.unwrap_or(0));
        let (px, qx) = (self.node(p), self.node(q));
        let p_first = px.fingerprint <= qx.fingerprint;
        if p == q || p_first && d.is_none() || !p_first && c.is_none() {
            return (p == q).then(|| self.terms.bool(difference & Bits::mask(g.x.width()) == 0));
        }
        Some(if p_first {
            let left = self.with_constant(Op::Add, p, difference);
            self.eq(left, q)
        } else {
            let right = self.with_constant(Op::Add, q, difference.wrapping_neg());
            self.eq(p, right)
        })
    }

    /// Two narrow values extended to the wider of their widths.
    fn common_width(&self, op: Op, p: Term, q: Term) -> (Term, Term) {
        let width = self.terms.width(p).max(self.terms.width(q));
        (self.extend(op, p, width), self.extend(op, q, width))
    }

    pub(super) fn simplify_unsigned_less(&self, g: &Goal) -> Option<Term> {
        if g.a == g.b {
            return Some(self.terms.false_());
        }
        let ones = Bits::mask(g.x.width());
        if let Some(k) = constant_of(g.x) {
            // k < y  iff  not y < k + 1
            if k == ones {
                return Some(self.terms.false_());
            }
            let not_above = self.compare_constant(Op::UnsignedLess, g.b, k + 1);
            return Some(self.not(not_above));
        }
        let Some(k) = constant_of(g.y) else {
            return self.less_terms(g);
        };
        if k == 0 {
            return Some(self.terms.false_());
        }
        if k == 1 {
            return Some(self.compare_constant(Op::Eq, g.a, 0));
        }
        if k == ones {
            let top = self.eq(g.a, g.b);
            return Some(self.not(top));
        }
        match g.x.op {
            Op::ZeroExtend => {
                let inner = g.x.operand(0);
                let largest = Bits::mask(self.terms.width(inner));
                return Some(if k > largest { self.terms.true_() } else { self.compare_constant(Op::UnsignedLess, inner, k) });
            }
            Op::SignExtend => {
                // The extended values are the non-negative narrow ones and, at the top, the negative ones.
                let inner = g.x.operand(0);
                let sign = 1u128 << (self.terms.width(inner) - 1);
                return Some(if k <= sign || k > ones - sign {
                    self.compare_constant(Op::UnsignedLess, inner, k)
                } else {
                    let negative = self.compare_constant(Op::SignedLess, inner, 0);
                    self.not(negative)
                });
            }
            // ~x < k  iff  ~k < x
            Op::Not => {
                let bound = self.number(g.x.width(), !k);
                return Some(self.compare(Op::UnsignedLess, bound, g.x.operand(0)));
            }
            Op::Ite => {
                if let Some(split) = self.compare_of_ite(g, k) {
                    return Some(split);
                }
            }
            _ => {}
        }
        let (low, high) = self.terms.unsigned_range_at(g.a, FACT_DEPTH);
        if high < k {
            return Some(self.terms.true_());
        }
        (low >= k).then(|| self.terms.false_())
    }

    pub(super) fn simplify_signed_less(&self, g: &Goal) -> Option<Term> {
        if g.a == g.b {
            return Some(self.terms.false_());
        }
        let width = g.x.width();
        let smallest = 1u128 << (width - 1);
        let largest = smallest - 1;
        let ones = Bits::mask(width);
        if let Some(k) = constant_of(g.x) {
            if k == largest {
                return Some(self.terms.false_());
            }
            let not_above = self.compare_constant(Op::SignedLess, g.b, k.wrapping_add(1) & ones);
            return Some(self.not(not_above));
        }
        let Some(k) = constant_of(g.y) else {
            return self.less_terms(g);
        };
        if k == smallest {
            return Some(self.terms.false_());
        }
        if k == smallest + 1 {
            return Some(self.compare_constant(Op::Eq, g.a, smallest));
        }
        if k == largest {
            let top = self.eq(g.a, g.b);
            return Some(self.not(top));
        }
        let bound = Bits::new(width, k).signed();
        match g.x.op {
            Op::ZeroExtend => {
                let inner = g.x.operand(0);
                return Some(if bound <= 0 {
                    self.terms.false_()
                } else if k > Bits::mask(self.terms.width(inner)) {
                    self.terms.true_()
                } else {
                    self.compare_constant(Op::UnsignedLess, inner, k)
                });
            }
            Op::SignExtend => {
                let inner = g.x.operand(0);
                let half = 1i128 << (self.terms.width(inner) - 1);
                return Some(if bound <= -half {
                    self.terms.false_()
                } else if bound >= half {
                    self.terms.true_()
                } else {
                    self.compare_constant(Op::SignedLess, inner, k)
                });
            }
            // ~x < k  iff  ~k < x
            Op::Not => {
                let bound = self.number(width, !k);
                return Some(self.compare(Op::SignedLess, bound, g.x.operand(0)));
            }
            Op::Ite => {
                if let Some(split) = self.compare_of_ite(g, k) {
                    return Some(split);
                }
            }
            _ => {}
        }
        let (low, high) = self.terms.signed_range_at(g.a, FACT_DEPTH);
        if high < bound {
            return Some(self.terms.true_());
        }
        if low >= bound {
            return Some(self.terms.false_());
        }
        (low >= 0 && bound >= 0).then(|| self.compare(Op::UnsignedLess, g.a, g.b))
    }

    /// Orders of two terms that are not constants.
    fn less_terms(&self, g: &Goal) -> Option<Term> {
        let (x, y) = (g.x, g.y);
        if x.op != y.op {
            return None;
        }
        match x.op {
            Op::Not => Some(self.compare(g.op, y.operand(0), x.operand(0))),
            Op::ZeroExtend => {
                let (p, q) = self.common_width(x.op, x.operand(0), y.operand(0));
                Some(self.compare(Op::UnsignedLess, p, q))
            }
            // Sign extension keeps the unsigned order as well as the signed one.
            Op::SignExtend => {
                let (p, q) = self.common_width(x.op, x.operand(0), y.operand(0));
                Some(self.compare(g.op, p, q))
            }
            _ => None,
        }
    }
}

/// The inverse of an odd number modulo 2^128, by Newton's iteration.
fn inverse(odd: u128) -> u128 {
    let mut result = odd;
    for _ in 0..7 {
        result = result.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(result)));
    }
    result
}
