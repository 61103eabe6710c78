//! Rules of addition, negation, multiplication, division and remainder.

use super::{FACT_DEPTH, Goal, Rules, constant_of, fits};
use crate::bits::Bits;
use crate::node::{Node, Op, Term};

impl Rules<'_> {
    pub(super) fn simplify_neg(&self, g: &Goal) -> Option<Term> {
        match g.x.op {
            Op::Neg => Some(g.x.operand(0)),
            // -(~x) = x + 1
            Op::Not => Some(self.with_constant(Op::Add, g.x.operand(0), 1)),
            Op::Add => {
                let (p, q) = (g.x.operand(0), g.x.operand(1));
                if let Some(k) = self.value(q) {
                    let negative = self.neg(p);
                    return Some(self.with_constant(Op::Add, negative, k.wrapping_neg()));
                }
                // -(p - q) = q - p
                for (minuend, negated) in [(p, self.node(q)), (q, self.node(p))] {
                    if negated.op == Op::Neg {
                        let negative = self.neg(minuend);
                        return Some(self.add(negated.operand(0), negative));
                    }
                }
                None
            }
            Op::Mul => {
                let k = self.value(g.x.operand(1))?;
                Some(self.with_constant(Op::Mul, g.x.operand(0), k.wrapping_neg()))
            }
            _ => None,
        }
    }

    /// A term as a multiple of another one.
    fn as_multiple(&self, term: Term, node: &Node) -> (Term, u128) {
        match node.op {
            Op::Neg => (node.operand(0), u128::MAX),
            Op::Mul => match self.value(node.operand(1)) {
                Some(k) => (node.operand(0), k),
                None => (term, 1),
            },
            _ => (term, 1),
        }
    }

    pub(super) fn simplify_add(&self, g: &Goal) -> Option<Term> {
        let width = g.sort.width();
        if let Some(k) = constant_of(g.y) {
            if k == 0 {
                return Some(g.a);
            }
            return match g.x.op {
                // (x + c) + k = x + (c + k)
                Op::Add => {
                    let inner = self.value(g.x.operand(1))?;
                    Some(self.with_constant(Op::Add, g.x.operand(0), inner.wrapping_add(k)))
                }
                // ~x + k = -x + (k - 1)
                Op::Not => {
                    let negative = self.neg(g.x.operand(0));
                    Some(self.with_constant(Op::Add, negative, k.wrapping_sub(1)))
                }
                _ => None,
            };
        }
        if self.is_complement((g.a, g.x), (g.b, g.y)) {
            return Some(self.number(width, u128::MAX));
        }
        // (x + c) + y = (x + y) + c: constants move outwards.
        for (sum, other) in [(g.x, g.b), (g.y, g.a)] {
            if sum.op == Op::Add
                && let Some(k) = self.value(sum.operand(1))
            {
                let inner = self.add(sum.operand(0), other);
                return Some(self.with_constant(Op::Add, inner, k));
            }
        }
        // Multiples of one term are collected: 2 * x + x, x - x.
        let (p, p_count) = self.as_multiple(g.a, g.x);
        let (q, q_count) = self.as_multiple(g.b, g.y);
        if p == q {
            return Some(self.with_constant(Op::Mul, p, p_count.wrapping_add(q_count)));
        }
        for (part, count, sum, factor) in [(p, p_count, g.y, 1), (q, q_count, g.x, 1), (p, p_count, g.y, -1), (q, q_count, g.x, -1)] {
            if let Some(rest) = self.cancel(part, count, sum, factor) {
                return Some(rest);
            }
        }
        // (r + s) - (r + t) = s - t
        for (sum, negated) in [(g.x, g.y), (g.y, g.x)] {
            if sum.op != Op::Add || negated.op != Op::Neg {
                continue;
            }
            let inner = self.node(negated.operand(0));
            if inner.op != Op::Add {
                continue;
            }
            for (part, rest) in [(sum.operand(0), sum.operand(1)), (sum.operand(1), sum.operand(0))] {
                if let Some(other) = self.other_operand(inner, part) {
                    let negative = self.neg(other);
                    return Some(self.add(rest, negative));
                }
            }
        }
        None
    }

    /// `count * part + factor * sum` where the sum (or, for factor -1, what is negated) contains a multiple of the
    /// part.
    fn cancel(&self, part: Term, count: u128, sum: &Node, factor: i128) -> Option<Term> {
        let sum = match sum.op {
            Op::Add if factor == 1 => sum,
            Op::Neg if factor == -1 => self.node(sum.operand(0)),
            _ => return None,
        };
        if sum.op != Op::Add {
            return None;
        }
        for (one, other) in [(sum.operand(0), sum.operand(1)), (sum.operand(1), sum.operand(0))] {
            let (base, multiple) = self.as_multiple(one, self.node(one));
            if base == part {
                let total = count.wrapping_add(multiple.wrapping_mul(factor as u128));
                let multiple = self.with_constant(Op::Mul, part, total);
                let other = if factor == 1 { other } else { self.neg(other) };
                return Some(self.add(multiple, other));
            }
        }
        None
    }

    pub(super) fn simplify_mul(&self, g: &Goal) -> Option<Term> {
        let width = g.sort.width();
        if let Some(k) = constant_of(g.y) {
            if k == 0 {
                return Some(g.b);
            }
            if k == 1 {
                return Some(g.a);
            }
            if k == Bits::mask(width) {
                return Some(self.neg(g.a));
            }
            return match g.x.op {
                Op::Mul => {
                    let inner = self.value(g.x.operand(1))?;
                    Some(self.with_constant(Op::Mul, g.x.operand(0), inner.wrapping_mul(k)))
                }
                Op::Neg => Some(self.with_constant(Op::Mul, g.x.operand(0), k.wrapping_neg())),
                // (x + c) * k = x * k + c * k
                Op::Add => {
                    let inner = self.value(g.x.operand(1))?;
                    let product = self.with_constant(Op::Mul, g.x.operand(0), k);
                    Some(self.with_constant(Op::Add, product, inner.wrapping_mul(k)))
                }
                Op::ZeroExtend => self.multiply_by_truth(g.x.operand(0), g.b),
                // (x >> s) * 2^s clears the low bits.
                Op::ShiftRight | Op::ShiftRightSigned => {
                    let shift = self.value(g.x.operand(1))?;
                    (shift < width as u128 && k == 1 << shift)
                        .then(|| self.with_constant(Op::And, g.x.operand(0), !Bits::mask(shift as u32)))
                }
                _ => None,
            };
        }
        for (p, q, other) in [(g.x, g.y, g.b), (g.y, g.x, g.a)] {
            match p.op {
                Op::Neg if q.op == Op::Neg => return Some(self.mul(p.operand(0), q.operand(0))),
                Op::Neg => {
                    let product = self.mul(p.operand(0), other);
                    return Some(self.neg(product));
                }
                Op::Mul => {
                    if let Some(k) = self.value(p.operand(1)) {
                        let inner = self.mul(p.operand(0), other);
                        return Some(self.with_constant(Op::Mul, inner, k));
                    }
                }
                Op::ZeroExtend => {
                    if let Some(chosen) = self.multiply_by_truth(p.operand(0), other) {
                        return Some(chosen);
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn multiply_by_truth(&self, factor: Term, other: Term) -> Option<Term> {
        (self.terms.width(factor) == 1).then(|| {
            let zero = self.number(self.terms.width(other), 0);
            self.ite(factor, other, zero)
        })
    }

    /// Division and remainder of more than one bit.
    pub(super) fn simplify_division(&self, g: &Goal) -> Option<Term> {
        let Some(k) = constant_of(g.y) else {
            if let Some(narrow) = self.narrow_division(g) {
                return Some(narrow);
            }
            return self.unsigned_division(g);
        };
        let width = g.sort.width();
        let ones = Bits::mask(width);
        let divides = matches!(g.op, Op::UnsignedDiv | Op::SignedDiv);
        let signed = matches!(g.op, Op::SignedDiv | Op::SignedRem);
        if k == 0 {
            return match g.op {
                Op::UnsignedDiv => Some(self.number(width, ones)),
                Op::SignedDiv => None,
                _ => Some(g.a),
            };
        }
        if k == 1 {
            return Some(if divides { g.a } else { self.number(width, 0) });
        }
        if signed {
            if k == ones {
                return Some(if divides { self.neg(g.a) } else { self.number(width, 0) });
            }
            let smallest = 1 << (width - 1);
            // The remainder has the dividend's sign, whatever the divisor's.
            if !divides && k > smallest {
                return Some(self.with_constant(g.op, g.a, k.wrapping_neg()));
            }
            if let Some(unsigned) = self.unsigned_division(g) {
                return Some(unsigned);
            }
            if g.x.op == Op::SignExtend {
                let inner = g.x.operand(0);
                let narrow = self.terms.width(inner);
                if narrow > 1 && fits(Op::SignExtend, k, width, narrow) {
                    let quotient = self.with_constant(g.op, inner, k);
                    return Some(self.extend(Op::SignExtend, quotient, width));
                }
            }
            return None;
        }
        if k.is_power_of_two() {
            return Some(if divides {
                self.with_constant(Op::ShiftRight, g.a, k.trailing_zeros() as u128)
            } else {
                self.with_constant(Op::And, g.a, k - 1)
            });
        }
        if self.terms.unsigned_range_at(g.a, FACT_DEPTH).1 < k {
            return Some(if divides { self.number(width, 0) } else { g.a });
        }
        match g.x.op {
            Op::UnsignedDiv if divides => {
                let inner = self.value(g.x.operand(1)).filter(|&c| c != 0)?;
                Some(match inner.checked_mul(k) {
                    Some(product) if product <= ones => self.with_constant(Op::UnsignedDiv, g.x.operand(0), product),
                    _ => self.number(width, 0),
                })
            }
            Op::ZeroExtend => {
                // The range above has dealt with divisors that do not fit.
                let inner = g.x.operand(0);
                fits(Op::ZeroExtend, k, width, self.terms.width(inner)).then(|| {
                    let narrow = self.with_constant(g.op, inner, k);
                    self.extend(Op::ZeroExtend, narrow, width)
                })
            }
            _ => None,
        }
    }

    /// Division and remainder of extended values in as few bits as give the same result, division by zero included.
    /// (The quotient of an unsigned division by zero has all bits set, so that it has no narrow form.)
    fn narrow_division(&self, g: &Goal) -> Option<Term> {
        let signed = matches!(g.op, Op::SignedDiv | Op::SignedRem);
        let bits = |node: &Node| match node.op {
            Op::SignExtend if signed => Some(self.terms.width(node.operand(0))),
            // The sign is one bit more.
            Op::ZeroExtend => Some(self.terms.width(node.operand(0)) + u32::from(signed)),
            _ => None,
        };
        let widest = bits(g.x)?.max(bits(g.y)?);
        let (width, extension) = match g.op {
            Op::UnsignedRem => (widest, Op::ZeroExtend),
            Op::SignedRem => (widest, Op::SignExtend),
            // The smallest number divided by -1 needs a bit more.
            Op::SignedDiv => (widest + 1, Op::SignExtend),
            _ => return None,
        };
        if width >= g.sort.width() || width < 2 {
            return None;
        }
        let [p, q] = [g.x, g.y].map(|node| self.extend(node.op, node.operand(0), width));
        let narrow = self.binary(g.op, p, q);
        Some(self.extend(extension, narrow, g.sort.width()))
    }

    /// Signed division of values that are never negative is unsigned division.
    fn unsigned_division(&self, g: &Goal) -> Option<Term> {
        let op = match g.op {
            Op::SignedDiv => Op::UnsignedDiv,
            Op::SignedRem => Op::UnsignedRem,
            _ => return None,
        };
        let sign = 1u128 << (g.sort.width() - 1);
        let never_negative = |t: Term| self.terms.known_bits_at(t, FACT_DEPTH).0 & sign != 0;
        (never_negative(g.b) && never_negative(g.a)).then(|| self.binary(op, g.a, g.b))
    }
}
