//! Rules of the bitwise operators, and of all operators on truth values.

use super::{FACT_DEPTH, Goal, Rules, constant_of, fits, low_ones};
use crate::bits::Bits;
use crate::node::{Op, Term};

impl Rules<'_> {
    pub(super) fn simplify_not(&self, g: &Goal) -> Option<Term> {
        match g.x.op {
            Op::Not => Some(g.x.operand(0)),
            // ~(-x) = x - 1
            Op::Neg => Some(self.with_constant(Op::Add, g.x.operand(0), u128::MAX)),
            // ~(x - 1) = -x
            Op::Add => {
                let k = self.value(g.x.operand(1))?;
                (k == Bits::mask(g.x.width())).then(|| self.neg(g.x.operand(0)))
            }
            Op::Xor => {
                let k = self.value(g.x.operand(1))?;
                Some(self.with_constant(Op::Xor, g.x.operand(0), !k))
            }
            _ => None,
        }
    }

    /// Arithmetic, shifts and orders of truth values are connectives.
    pub(super) fn simplify_truth(&self, g: &Goal) -> Option<Term> {
        match g.op {
            Op::Neg | Op::ShiftRightSigned => Some(g.a),
            Op::Add | Op::Xor => {
                let equal = self.eq(g.a, g.b);
                Some(self.not(equal))
            }
            Op::Mul => Some(self.and(g.a, g.b)),
            Op::UnsignedDiv | Op::SignedDiv => {
                let zero = self.not(g.b);
                Some(self.or(g.a, zero))
            }
            Op::UnsignedRem | Op::SignedRem | Op::ShiftLeft | Op::ShiftRight | Op::SignedLess => {
                let zero = self.not(g.b);
                Some(self.and(g.a, zero))
            }
            Op::UnsignedLess => {
                let zero = self.not(g.a);
                Some(self.and(zero, g.b))
            }
            Op::Eq => {
                if let Some(k) = constant_of(g.y) {
                    return Some(if k == 1 { g.a } else { self.not(g.a) });
                }
                if g.a == g.b {
                    return Some(self.terms.true_());
                }
                if g.x.op == Op::Not || g.y.op == Op::Not {
                    let strip = |t: Term, op: Op, inner: u32| if op == Op::Not { Term(inner) } else { t };
                    let equal = self.eq(strip(g.a, g.x.op, g.x.a), strip(g.b, g.y.op, g.y.a));
                    return Some(if g.x.op == g.y.op { equal } else { self.not(equal) });
                }
                // p == (p == q)  is  q
                for (p, other) in [(g.a, g.y), (g.b, g.x)] {
                    if other.op == Op::Eq
                        && let Some(q) = self.other_operand(other, p)
                    {
                        return Some(q);
                    }
                }
                None
            }
            _ => None,
        }
    }

    pub(super) fn simplify_and_or(&self, g: &Goal) -> Option<Term> {
        let width = g.sort.width();
        let ones = Bits::mask(width);
        let is_and = g.op == Op::And;
        if g.a == g.b {
            return Some(g.a);
        }
        if let Some(k) = constant_of(g.y) {
            return match k {
                0 => Some(if is_and { g.b } else { g.a }),
                _ if k == ones => Some(if is_and { g.a } else { g.b }),
                _ => self.simplify_mask(g, k),
            };
        }
        if self.is_complement((g.a, g.x), (g.b, g.y)) {
            return Some(self.number(width, if is_and { 0 } else { ones }));
        }
        let dual = if is_and { Op::Or } else { Op::And };
        for (p, px, q, qx) in [(g.a, g.x, g.b, g.y), (g.b, g.y, g.a, g.x)] {
            if qx.op == g.op {
                // p & (p & r) = p & r;  p & (~p & r) = 0
                if qx.a == p.0 || qx.b == p.0 {
                    return Some(q);
                }
                if self.contains_complement(qx.a, qx.b, p, px.op, px.a) {
                    return Some(self.number(width, if is_and { 0 } else { ones }));
                }
                // Constants move outwards.
                if let Some(k) = self.value(qx.operand(1)) {
                    let inner = self.binary(g.op, qx.operand(0), p);
                    return Some(self.with_constant(g.op, inner, k));
                }
            } else if qx.op == dual {
                // p & (p | r) = p;  p & (~p | r) = p & r
                if qx.a == p.0 || qx.b == p.0 {
                    return Some(p);
                }
                for (part, rest) in [(Term(qx.a), Term(qx.b)), (Term(qx.b), Term(qx.a))] {
                    if self.complement_of(part, p, px.op, px.a) {
                        return Some(self.binary(g.op, p, rest));
                    }
                }
            } else if qx.op == Op::Not {
                let inner = self.node(qx.operand(0));
                // p & ~(p & r) = p & ~r;  p & ~(p | r) = 0
                if inner.op == g.op
                    && let Some(rest) = self.other_operand(inner, p)
                {
                    let rest = self.not(rest);
                    return Some(self.binary(g.op, p, rest));
                }
                if inner.op == dual && (inner.a == p.0 || inner.b == p.0) {
                    return Some(self.number(width, if is_and { 0 } else { ones }));
                }
            }
        }
        if width == 1 {
            return self.simplify_pair_of_ranges(g);
        }
        if g.x.op == Op::Not && g.y.op == Op::Not {
            let inner = self.binary(dual, g.x.operand(0), g.y.operand(0));
            return Some(self.not(inner));
        }
        self.bitwise_of_extensions(g)
    }

    /// `op(ext(p), ext(q))` is `ext(op(p, q))` for bitwise operators.
    fn bitwise_of_extensions(&self, g: &Goal) -> Option<Term> {
        if g.x.op == g.y.op && matches!(g.x.op, Op::ZeroExtend | Op::SignExtend) {
            let (p, q) = (g.x.operand(0), g.y.operand(0));
            if self.terms.width(p) == self.terms.width(q) {
                let inner = self.binary(g.op, p, q);
                return Some(self.extend(g.x.op, inner, g.sort.width()));
            }
        }
        None
    }

    fn complement_of(&self, part: Term, p: Term, p_op: Op, p_inner: u32) -> bool {
        p_op == Op::Not && p_inner == part.0 || {
            let node = self.node(part);
            node.op == Op::Not && node.a == p.0
        }
    }
    fn contains_complement(&self, left: u32, right: u32, p: Term, p_op: Op, p_inner: u32) -> bool {
        self.complement_of(Term(left), p, p_op, p_inner) || self.complement_of(Term(right), p, p_op, p_inner)
    }

    /// `and` and `or` with a constant that is neither zero nor all ones.
    fn simplify_mask(&self, g: &Goal, k: u128) -> Option<Term> {
        let width = g.sort.width();
        let ones = Bits::mask(width);
        let is_and = g.op == Op::And;
        match g.x.op {
            Op::And | Op::Or => {
                if let Some(inner) = self.value(g.x.operand(1)) {
                    if g.x.op == g.op {
                        let merged = if is_and { inner & k } else { inner | k };
                        return Some(self.with_constant(g.op, g.x.operand(0), merged));
                    }
                    // (y | c) & k drops the bits of c that k clears anyway; likewise (y & c) | k.
                    let kept = if is_and { inner & k } else { inner | k };
                    if is_and && kept == 0 || !is_and && kept == ones {
                        return Some(self.with_constant(g.op, g.x.operand(0), k));
                    }
                    if kept == k {
                        return Some(g.b);
                    }
                }
            }
            Op::ZeroExtend => {
                let inner = g.x.operand(0);
                let narrow = self.terms.width(inner);
                if is_and || fits(Op::ZeroExtend, k, width, narrow) {
                    let masked = self.with_constant(g.op, inner, k);
                    return Some(self.extend(Op::ZeroExtend, masked, width));
                }
            }
            Op::SignExtend => {
                let inner = g.x.operand(0);
                let narrow = self.terms.width(inner);
                if is_and && fits(Op::ZeroExtend, k, width, narrow) {
                    let masked = self.with_constant(Op::And, inner, k);
                    return Some(self.extend(Op::ZeroExtend, masked, width));
                }
            }
            Op::Concat => {
                // A mask that keeps or clears one of the parts as a whole concerns only the other.
                let (p, q) = (g.x.operand(0), g.x.operand(1));
                let split = self.terms.width(q);
                let (high, low) = (k >> split, k & Bits::mask(split));
                if high == 0 || high == ones >> split || low == 0 || low == Bits::mask(split) {
                    let p = self.with_constant(g.op, p, high);
                    let q = self.with_constant(g.op, q, low);
                    return Some(self.concat(p, q));
                }
            }
            Op::ShiftRight if is_and => {
                if let (Some(shift), Some(count)) = (self.value(g.x.operand(1)), low_ones(k)) {
                    let low = shift as u32;
                    if shift < width as u128 && low + count < width {
                        let part = self.extract(g.x.operand(0), low + count - 1, low);
                        return Some(self.extend(Op::ZeroExtend, part, width));
                    }
                }
            }
            _ => {}
        }
        let (zeros, known_ones) = self.terms.known_bits_at(g.a, FACT_DEPTH);
        if is_and {
            let possible = !zeros & ones;
            if possible & !k == 0 {
                return Some(g.a);
            }
            (possible & k == 0).then(|| self.number(width, 0))
        } else {
            (k & !known_ones == 0).then_some(g.a)
        }
    }

    pub(super) fn simplify_xor(&self, g: &Goal) -> Option<Term> {
        let width = g.sort.width();
        let ones = Bits::mask(width);
        if g.a == g.b {
            return Some(self.number(width, 0));
        }
        if let Some(k) = constant_of(g.y) {
            if k == 0 {
                return Some(g.a);
            }
            if k == ones {
                return Some(self.not(g.a));
            }
            return match g.x.op {
                Op::Xor => {
                    let inner = self.value(g.x.operand(1))?;
                    Some(self.with_constant(Op::Xor, g.x.operand(0), inner ^ k))
                }
                Op::Not => Some(self.with_constant(Op::Xor, g.x.operand(0), !k)),
                Op::ZeroExtend => {
                    let inner = g.x.operand(0);
                    fits(Op::ZeroExtend, k, width, self.terms.width(inner)).then(|| {
                        let flipped = self.with_constant(Op::Xor, inner, k);
                        self.extend(Op::ZeroExtend, flipped, width)
                    })
                }
                _ => None,
            };
        }
        if self.is_complement((g.a, g.x), (g.b, g.y)) {
            return Some(self.number(width, ones));
        }
        for (p, qx) in [(g.a, g.y), (g.b, g.x)] {
            match qx.op {
                Op::Xor => {
                    if let Some(rest) = self.other_operand(qx, p) {
                        return Some(rest);
                    }
                    if let Some(k) = self.value(qx.operand(1)) {
                        let inner = self.binary(Op::Xor, qx.operand(0), p);
                        return Some(self.with_constant(Op::Xor, inner, k));
                    }
                }
                Op::Not => {
                    let inner = self.binary(Op::Xor, qx.operand(0), p);
                    return Some(self.not(inner));
                }
                _ => {}
            }
        }
        self.bitwise_of_extensions(g)
    }
}
