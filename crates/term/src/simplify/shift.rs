//! Rules of shifts. A left shift by a constant is a multiplication, so that sums of multiples see it.

use super::{FACT_DEPTH, Goal, Rules, constant_of};
use crate::bits::Bits;
use crate::node::{Op, Term};

impl Rules<'_> {
    /// Shifts of values of more than one bit.
    pub(super) fn simplify_shift(&self, g: &Goal) -> Option<Term> {
        let width = g.sort.width();
        if let Some(value) = constant_of(g.x)
            && (value == 0 || g.op == Op::ShiftRightSigned && value == Bits::mask(width))
        {
            return Some(g.a);
        }
        let k = constant_of(g.y)?;
        if k == 0 {
            return Some(g.a);
        }
        if k >= width as u128 {
            return Some(match g.op {
                Op::ShiftRightSigned => self.with_constant(g.op, g.a, width as u128 - 1),
                _ => self.number(width, 0),
            });
        }
        let shift = k as u32;
        match g.op {
            Op::ShiftLeft => Some(self.with_constant(Op::Mul, g.a, 1 << shift)),
            Op::ShiftRight => self.shift_right(g, shift),
            _ => self.shift_right_signed(g, shift),
        }
    }

    fn shift_right(&self, g: &Goal, shift: u32) -> Option<Term> {
        let width = g.sort.width();
        match g.x.op {
            Op::ShiftRight => {
                let inner = self.value(g.x.operand(1)).filter(|&k| k < width as u128)?;
                Some(self.with_constant(Op::ShiftRight, g.x.operand(0), inner + shift as u128))
            }
            // Masks move outwards, where they can become extractions.
            Op::And => {
                let mask = self.value(g.x.operand(1))?;
                let shifted = self.with_constant(Op::ShiftRight, g.x.operand(0), shift as u128);
                Some(self.with_constant(Op::And, shifted, mask >> shift))
            }
            Op::ZeroExtend => {
                let inner = g.x.operand(0);
                let narrow = self.terms.width(inner);
                if shift >= narrow {
                    return Some(self.number(width, 0));
                }
                let shifted = self.with_constant(Op::ShiftRight, inner, shift as u128);
                Some(self.extend(Op::ZeroExtend, shifted, width))
            }
            Op::Mul => {
                let factor = self.value(g.x.operand(1))?;
                (factor == 1 << shift).then(|| self.with_constant(Op::And, g.x.operand(0), Bits::mask(width - shift)))
            }
            Op::Concat => {
                let (high, split) = (g.x.operand(0), self.terms.width(g.x.operand(1)));
                (shift >= split).then(|| {
                    let wide = self.extend(Op::ZeroExtend, high, width);
                    self.with_constant(Op::ShiftRight, wide, (shift - split) as u128)
                })
            }
            _ => None,
        }
    }

    fn shift_right_signed(&self, g: &Goal, shift: u32) -> Option<Term> {
        let width = g.sort.width();
        match g.x.op {
            Op::ShiftRightSigned => {
                let inner = self.value(g.x.operand(1)).filter(|&k| k < width as u128)?;
                let total = (inner + shift as u128).min(width as u128 - 1);
                Some(self.with_constant(Op::ShiftRightSigned, g.x.operand(0), total))
            }
            Op::SignExtend => {
                let inner = g.x.operand(0);
                let narrow = self.terms.width(inner);
                let shifted = self.with_constant(Op::ShiftRightSigned, inner, shift.min(narrow - 1) as u128);
                Some(self.extend(Op::SignExtend, shifted, width))
            }
            Op::Mul => {
                let factor = self.value(g.x.operand(1))?;
                (factor == 1 << shift).then(|| {
                    let part = self.extract(g.x.operand(0), width - shift - 1, 0);
                    self.extend(Op::SignExtend, part, width)
                })
            }
            _ => {
                let sign = 1u128 << (width - 1);
                (self.terms.known_bits_at(g.a, FACT_DEPTH).0 & sign != 0).then(|| self.with_constant(Op::ShiftRight, g.a, shift as u128))
            }
        }
    }
}
