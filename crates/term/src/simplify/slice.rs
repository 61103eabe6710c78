//! Rules of extraction, concatenation and extension.

use super::{FACT_DEPTH, Goal, Rules, constant_of};
use crate::bits::Bits;
use crate::node::{Node, Op, Sort, Term};

/// How deep an extraction looks whether it would melt away at the leaves of an operator tree.
const NARROW_DEPTH: u32 = 3;

impl Rules<'_> {
    pub(super) fn simplify_extract(&self, g: &Goal) -> Option<Term> {
        let (x, high, low) = (g.x, g.high, g.low);
        let width = high - low + 1;
        if width == x.width() {
            return Some(g.a);
        }
        match x.op {
            Op::Extract => Some(self.extract(x.operand(0), x.low() + high, x.low() + low)),
            Op::Concat => {
                let (p, q) = (x.operand(0), x.operand(1));
                let split = self.terms.width(q);
                if high < split {
                    Some(self.extract(q, high, low))
                } else if low >= split {
                    Some(self.extract(p, high - split, low - split))
                } else if low == 0 || high + 1 == x.width() {
                    let p = self.extract(p, high - split, 0);
                    let q = self.extract(q, split - 1, low);
                    Some(self.concat(p, q))
                } else {
                    None
                }
            }
            Op::ZeroExtend | Op::SignExtend => {
                let inner = x.operand(0);
                let narrow = self.terms.width(inner);
                if high < narrow {
                    return Some(self.extract(inner, high, low));
                }
                if low < narrow {
                    let part = self.extract(inner, narrow - 1, low);
                    return Some(self.extend(x.op, part, width));
                }
                if x.op == Op::SignExtend {
                    let sign = self.extract(inner, narrow - 1, narrow - 1);
                    return Some(self.extend(Op::SignExtend, sign, width));
                }
                (width <= Bits::MAX_WIDTH).then(|| self.number(width, 0))
            }
            Op::Not => {
                let inner = self.extract(x.operand(0), high, low);
                Some(self.not(inner))
            }
            Op::And | Op::Or | Op::Xor => {
                let (p, q) = (x.operand(0), x.operand(1));
                let (px, qx) = (self.node(p), self.node(q));
                let pushes = qx.op == Op::Const || self.narrows(px, high, low, NARROW_DEPTH) && self.narrows(qx, high, low, NARROW_DEPTH);
                pushes.then(|| {
                    let (p, q) = (self.extract(p, high, low), self.extract(q, high, low));
                    self.binary(x.op, p, q)
                })
            }
            Op::Mul if x.width() <= Bits::MAX_WIDTH => {
                if let Some(factor) = self.value(x.operand(1)) {
                    // Multiplication by a power of two moves bits.
                    let shift = factor.trailing_zeros();
                    if factor.is_power_of_two() && low >= shift {
                        return Some(self.extract(x.operand(0), high - shift, low - shift));
                    }
                    if factor.is_power_of_two() && high < shift {
                        return Some(self.number(width, 0));
                    }
                }
                self.extract_of_arithmetic(g)
            }
            Op::Add | Op::Neg | Op::Mul => self.extract_of_arithmetic(g),
            Op::ShiftRight | Op::ShiftRightSigned if x.width() <= Bits::MAX_WIDTH => {
                let shift = self.value(x.operand(1))?;
                if shift < x.width() as u128 && high + (shift as u32) < x.width() {
                    return Some(self.extract(x.operand(0), high + shift as u32, low + shift as u32));
                }
                None
            }
            Op::Ite => {
                let (p, q) = (x.operand(1), x.operand(2));
                let pushes = self.narrows(self.node(p), high, low, NARROW_DEPTH) && self.narrows(self.node(q), high, low, NARROW_DEPTH);
                pushes.then(|| {
                    let (p, q) = (self.extract(p, high, low), self.extract(q, high, low));
                    self.ite(x.operand(0), p, q)
                })
            }
            _ => None,
        }
    }

    /// The low bits of a sum, negative or product depend on the low bits of the operands only.
    fn extract_of_arithmetic(&self, g: &Goal) -> Option<Term> {
        let x = g.x;
        if g.low != 0 || !self.narrows(x, g.high, 0, NARROW_DEPTH) {
            return None;
        }
        let p = self.extract(x.operand(0), g.high, 0);
        if x.op == Op::Neg {
            return Some(self.neg(p));
        }
        let q = self.extract(x.operand(1), g.high, 0);
        Some(self.binary(x.op, p, q))
    }

    /// Whether an extraction of this node would vanish into extensions, constants and other extractions.
    fn narrows(&self, x: &Node, high: u32, low: u32, depth: u32) -> bool {
        let all = |count: usize| depth > 0 && (0..count).all(|i| self.narrows(self.node(x.operand(i)), high, low, depth - 1));
        match x.op {
            Op::Const | Op::Extract => true,
            Op::ZeroExtend | Op::SignExtend => low == 0 || high < self.terms.width(x.operand(0)),
            Op::Concat => {
                let split = self.terms.width(x.operand(1));
                high < split || low >= split
            }
            Op::Not => all(1),
            Op::And | Op::Or | Op::Xor => all(2),
            Op::Neg => low == 0 && all(1),
            Op::Add | Op::Mul => low == 0 && all(2),
            _ => false,
        }
    }

    pub(super) fn simplify_concat(&self, g: &Goal) -> Option<Term> {
        let (x, y) = (g.x, g.y);
        let width = g.sort.width();
        if constant_of(x) == Some(0) {
            return Some(self.extend(Op::ZeroExtend, g.b, width));
        }
        if x.op == Op::ZeroExtend {
            let inner = self.concat(x.operand(0), g.b);
            return Some(self.extend(Op::ZeroExtend, inner, width));
        }
        if let Some(joined) = self.join(x, y) {
            return Some(joined);
        }
        if y.op == Op::Concat
            && let Some(joined) = self.join(x, self.node(y.operand(0)))
        {
            return Some(self.concat(joined, y.operand(1)));
        }
        if x.op == Op::Concat
            && let Some(joined) = self.join(self.node(x.operand(1)), y)
        {
            return Some(self.concat(x.operand(0), joined));
        }
        // The low part of a value above zeros is a multiple of it.
        if constant_of(y) == Some(0) && x.op == Op::Extract && x.low() == 0 && width <= Bits::MAX_WIDTH {
            let whole = x.operand(0);
            if self.terms.width(whole) == width {
                return Some(self.with_constant(Op::Mul, whole, 1 << y.width()));
            }
        }
        None
    }

    /// Neighbouring parts of one value, or two constants, as one term.
    fn join(&self, x: &Node, y: &Node) -> Option<Term> {
        if x.op == Op::Extract && y.op == Op::Extract && x.a == y.a && x.low() == y.high() + 1 {
            return Some(self.extract(Term(x.a), x.high(), y.low()));
        }
        if let (Some(p), Some(q)) = (constant_of(x), constant_of(y)) {
            let width = x.width() + y.width();
            return (width <= Bits::MAX_WIDTH).then(|| self.number(width, p << y.width() | q));
        }
        None
    }

    pub(super) fn simplify_extension(&self, g: &Goal) -> Option<Term> {
        let (x, width) = (g.x, g.sort.width());
        match (g.op, x.op) {
            (_, Op::ZeroExtend) => return Some(self.extend(Op::ZeroExtend, x.operand(0), width)),
            (Op::SignExtend, Op::SignExtend) => return Some(self.extend(Op::SignExtend, x.operand(0), width)),
            (_, Op::Extract) if width <= Bits::MAX_WIDTH => {
                let whole = x.operand(0);
                if self.terms.sort(whole) == Sort::bv(width) {
                    if x.high() + 1 == width {
                        let shift = if g.op == Op::ZeroExtend { Op::ShiftRight } else { Op::ShiftRightSigned };
                        return Some(self.with_constant(shift, whole, x.low() as u128));
                    }
                    if g.op == Op::ZeroExtend && x.low() == 0 {
                        return Some(self.with_constant(Op::And, whole, Bits::mask(x.high() + 1)));
                    }
                }
            }
            _ => {}
        }
        if g.op == Op::SignExtend && x.width() <= Bits::MAX_WIDTH && x.width() > 1 {
            let sign = 1u128 << (x.width() - 1);
            if self.terms.known_bits_at(g.a, FACT_DEPTH).0 & sign != 0 {
                return Some(self.extend(Op::ZeroExtend, g.a, width));
            }
        }
        None
    }
}
