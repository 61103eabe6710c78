//! Cheap facts about terms: bits that are the same under every assignment, and ranges. Sound, of bounded depth
//! and therefore incomplete.

use crate::bits::Bits;
use crate::node::{Op, Term};
use crate::store::Terms;

/// How many levels the public queries look down.
const DEPTH: u32 = 6;

impl Terms {
    /// The bits that are zero and those that are one whatever the symbols' values, as `(zeros, ones)`. Nothing is
    /// known of arrays and of values wider than 128 bits.
    pub fn known_bits(&self, term: Term) -> (u128, u128) {
        self.known_bits_at(term, DEPTH)
    }

    /// The least and the greatest value that the term can have, read as unsigned. Values wider than 128 bits and
    /// arrays have the range of 128 bits, which says nothing about them.
    pub fn unsigned_range(&self, term: Term) -> (u128, u128) {
        self.unsigned_range_at(term, DEPTH)
    }

    /// The least and the greatest value that the term can have, read as two's complement.
    pub fn signed_range(&self, term: Term) -> (i128, i128) {
        self.signed_range_at(term, DEPTH)
    }

    pub(crate) fn known_bits_at(&self, term: Term, depth: u32) -> (u128, u128) {
        let node = self.node_ref(term);
        let width = node.width();
        if !node.sort.is_vector() || width > Bits::MAX_WIDTH {
            return (0, 0);
        }
        let mask = Bits::mask(width);
        if node.op == Op::Const {
            return (!node.constant() & mask, node.constant());
        }
        if depth == 0 {
            return (0, 0);
        }
        let of = |index: usize| self.known_bits_at(node.operand(index), depth - 1);
        let constant = |index: usize| self.as_constant(node.operand(index)).map(Bits::value);
        match node.op {
            Op::Not => {
                let (zeros, ones) = of(0);
                (ones, zeros)
            }
            Op::And => {
                let ((p0, p1), (q0, q1)) = (of(0), of(1));
                (p0 | q0, p1 & q1)
            }
            Op::Or => {
                let ((p0, p1), (q0, q1)) = (of(0), of(1));
                (p0 & q0, p1 | q1)
            }
            Op::Xor => {
                let ((p0, p1), (q0, q1)) = (of(0), of(1));
                (p0 & q0 | p1 & q1, p0 & q1 | p1 & q0)
            }
            Op::ZeroExtend => {
                let (zeros, ones) = of(0);
                (zeros | mask & !Bits::mask(self.width(node.operand(0))), ones)
            }
            Op::SignExtend => {
                let (zeros, ones) = of(0);
                let narrow = self.width(node.operand(0));
                let spread = |known: u128| Bits::new(width, Bits::new(narrow, known).signed() as u128).value();
                (spread(zeros), spread(ones))
            }
            Op::Concat => {
                let ((p0, p1), (q0, q1)) = (of(0), of(1));
                let split = self.width(node.operand(1));
                (p0 << split | q0, p1 << split | q1)
            }
            Op::Extract if self.width(node.operand(0)) > Bits::MAX_WIDTH => (0, 0),
            Op::Extract => {
                let (zeros, ones) = of(0);
                (zeros >> node.low() & mask, ones >> node.low() & mask)
            }
            Op::Ite => {
                let ((p0, p1), (q0, q1)) = (of(1), of(2));
                (p0 & q0, p1 & q1)
            }
            Op::ShiftLeft => match constant(1) {
                Some(shift) if shift < width as u128 => {
                    let (zeros, ones) = of(0);
                    ((zeros << shift | Bits::mask(shift as u32)) & mask, ones << shift & mask)
                }
                Some(_) => (mask, 0),
                None => (0, 0),
            },
            Op::ShiftRight => match constant(1) {
                Some(shift) if shift < width as u128 => {
                    let (zeros, ones) = of(0);
                    (zeros >> shift | mask & !(mask >> shift), ones >> shift)
                }
                Some(_) => (mask, 0),
                None => (0, 0),
            },
            Op::ShiftRightSigned => match constant(1) {
                Some(shift) => {
                    let (zeros, ones) = of(0);
                    let shift = shift.min(width as u128 - 1);
                    let spread = |known: u128| Bits::new(width, (Bits::new(width, known).signed() >> shift) as u128).value();
                    (spread(zeros), spread(ones))
                }
                None => (0, 0),
            },
            Op::Mul => {
                // Trailing zeros add up.
                let ((p0, _), (q0, _)) = (of(0), of(1));
                let count = p0.trailing_ones().saturating_add(q0.trailing_ones()).min(width);
                (if count == 0 { 0 } else { Bits::mask(count) }, 0)
            }
            Op::Add => {
                let ((p0, p1), (q0, q1)) = (of(0), of(1));
                known_sum(p0, p1, q0, q1, mask)
            }
            Op::Neg => {
                let count = of(0).0.trailing_ones().min(width);
                (if count == 0 { 0 } else { Bits::mask(count) }, 0)
            }
            Op::UnsignedRem => match constant(1) {
                // The result is below the divisor.
                Some(k) if k > 0 => (mask & !ones_up_to(k - 1), 0),
                _ => (0, 0),
            },
            Op::UnsignedDiv => match constant(1) {
                Some(k) if k > 0 => (mask & !ones_up_to(mask / k), 0),
                _ => (0, 0),
            },
            _ => (0, 0),
        }
    }

    pub(crate) fn unsigned_range_at(&self, term: Term, depth: u32) -> (u128, u128) {
        let node = self.node_ref(term);
        let width = node.width();
        if !node.sort.is_vector() || width > Bits::MAX_WIDTH {
            return (0, u128::MAX);
        }
        let mask = Bits::mask(width);
        if node.op == Op::Const {
            return (node.constant(), node.constant());
        }
        if depth == 0 {
            return (0, mask);
        }
        let of = |index: usize| self.unsigned_range_at(node.operand(index), depth - 1);
        let constant = |index: usize| self.as_constant(node.operand(index)).map(Bits::value);
        let by_bits = || {
            let (zeros, ones) = self.known_bits_at(term, depth);
            (ones, mask & !zeros)
        };
        match node.op {
            Op::ZeroExtend => of(0),
            Op::Ite => {
                let ((p, q), (r, s)) = (of(1), of(2));
                (p.min(r), q.max(s))
            }
            Op::Add => {
                let ((p, q), (r, s)) = (of(0), of(1));
                match (p.checked_add(r), q.checked_add(s)) {
                    (Some(low), Some(high)) if high <= mask => (low, high),
                    _ => by_bits(),
                }
            }
            Op::Mul => {
                let ((p, q), (r, s)) = (of(0), of(1));
                match (p.checked_mul(r), q.checked_mul(s)) {
                    (Some(low), Some(high)) if high <= mask => (low, high),
                    _ => by_bits(),
                }
            }
            Op::And => {
                let ((_, q), (_, s)) = (of(0), of(1));
                let (low, high) = by_bits();
                (low, high.min(q).min(s))
            }
            Op::Or => {
                let ((p, _), (r, _)) = (of(0), of(1));
                let (low, high) = by_bits();
                (low.max(p).max(r), high)
            }
            Op::UnsignedDiv => match constant(1) {
                Some(k) if k > 0 => {
                    let (p, q) = of(0);
                    (p / k, q / k)
                }
                _ => (0, mask),
            },
            Op::UnsignedRem => match constant(1) {
                Some(k) if k > 0 => (0, (k - 1).min(of(0).1)),
                _ => (0, of(0).1),
            },
            Op::ShiftRight => match constant(1) {
                Some(shift) if shift < width as u128 => {
                    let (p, q) = of(0);
                    (p >> shift, q >> shift)
                }
                Some(_) => (0, 0),
                None => (0, of(0).1),
            },
            Op::Concat => {
                let ((p, q), (r, s)) = (of(0), of(1));
                let split = self.width(node.operand(1));
                (p << split | r, q << split | s)
            }
            Op::Extract => {
                let (p, q) = of(0);
                // Without the bits above, the range survives only where they are zero.
                if q <= Bits::mask(node.high() + 1) && self.width(node.operand(0)) <= Bits::MAX_WIDTH {
                    (p >> node.low(), q >> node.low())
                } else {
                    by_bits()
                }
            }
            _ => by_bits(),
        }
    }

    pub(crate) fn signed_range_at(&self, term: Term, depth: u32) -> (i128, i128) {
        let node = self.node_ref(term);
        let width = node.width();
        if !node.sort.is_vector() || width > Bits::MAX_WIDTH {
            return (i128::MIN, i128::MAX);
        }
        let smallest = Bits::new(width, 1 << (width - 1)).signed();
        let largest = -(smallest + 1);
        if node.op == Op::Const {
            let value = Bits::new(width, node.constant()).signed();
            return (value, value);
        }
        if depth == 0 {
            return (smallest, largest);
        }
        let of = |index: usize| self.signed_range_at(node.operand(index), depth - 1);
        let constant = |index: usize| self.as_constant(node.operand(index)).map(Bits::signed);
        let inside = |low: Option<i128>, high: Option<i128>| match (low, high) {
            (Some(low), Some(high)) if low >= smallest && high <= largest => Some((low, high)),
            _ => None,
        };
        let known = match node.op {
            Op::SignExtend => Some(of(0)),
            Op::Ite => {
                let ((p, q), (r, s)) = (of(1), of(2));
                Some((p.min(r), q.max(s)))
            }
            Op::Add => {
                let ((p, q), (r, s)) = (of(0), of(1));
                inside(p.checked_add(r), q.checked_add(s))
            }
            Op::Neg => {
                let (p, q) = of(0);
                inside(q.checked_neg(), p.checked_neg())
            }
            Op::Not => {
                let (p, q) = of(0);
                Some((!q, !p))
            }
            Op::Mul => constant(1).and_then(|k| {
                let (p, q) = of(0);
                let (p, q) = (p.checked_mul(k), q.checked_mul(k));
                if k >= 0 { inside(p, q) } else { inside(q, p) }
            }),
            Op::ShiftRightSigned => constant(1).map(|k| {
                let (p, q) = of(0);
                let shift = if k < 0 { width as i128 - 1 } else { k.min(width as i128 - 1) };
                (p >> shift, q >> shift)
            }),
            Op::SignedDiv => constant(1).filter(|&k| k > 0).map(|k| {
                let (p, q) = of(0);
                (p / k, q / k)
            }),
            Op::SignedRem => constant(1).filter(|&k| k > 0).map(|k| {
                let (p, q) = of(0);
                (if p >= 0 { 0 } else { p.max(1 - k) }, if q <= 0 { 0 } else { q.min(k - 1) })
            }),
            _ => None,
        };
        if let Some(range) = known {
            return range;
        }
        // An unsigned range on one side of the sign change is a signed range.
        let (low, high) = self.unsigned_range_at(term, depth);
        let (low, high) = (Bits::new(width, low).signed(), Bits::new(width, high).signed());
        if low <= high && (low >= 0) == (high >= 0) { (low, high) } else { (smallest, largest) }
    }
}

/// All bits up to the highest one of `value`.
fn ones_up_to(value: u128) -> u128 {
    if value == 0 { 0 } else { Bits::mask(128 - value.leading_zeros()) }
}

/// The known bits of a sum: as long as both operands and the carry are known from the bottom, so is the result.
fn known_sum(p0: u128, p1: u128, q0: u128, q1: u128, mask: u128) -> (u128, u128) {
    // The sums of the least and of the greatest operands agree in a bit's carry where it is known.
    let least = p1.wrapping_add(q1);
    let greatest = (!p0 & mask).wrapping_add(!q0 & mask);
    let carry_known_zero = !(greatest ^ !p0 ^ !q0);
    let carry_known_one = least ^ p1 ^ q1;
    let known = (p0 | p1) & (q0 | q1) & (carry_known_zero | carry_known_one) & mask;
    (!least & known, least & known)
}
