//! Backward reasoning: what an assumed condition says about the registers in it.

use super::domain::IntervalDomain;
use super::operators;
use super::range::{Range, half};
use super::state::IntervalState;
use assay_term::{Bits, Node, Op, Term};

/// How deep conditions are followed. What lies deeper is only evaluated.
const DEPTH: u32 = 48;
/// Conditions with more nodes than this are only evaluated.
const LARGE: u16 = 2000;

impl IntervalDomain<'_> {
    /// Cuts the state to where the condition (width 1) has the truth value, as far as ranges can say that. `false`:
    /// nothing is left.
    pub fn assume(&self, state: &mut IntervalState, condition: Term, truth: bool) -> bool {
        let required = Range::truth(truth);
        if self.terms.node(condition).tree_size() > LARGE {
            return self.range(state, condition).is_none_or(|range| range.meet(required).is_some());
        }
        // A second iteration lets what was learnt last reach what was looked at first.
        for _ in 0..2 {
            let before = state.hash64();
            if !self.constrain(state, condition, required, DEPTH) {
                return false;
            }
            if state.hash64() == before {
                break;
            }
        }
        true
    }

    /// Cuts the state to where the term's value is among the required ones.
    pub(super) fn constrain(&self, state: &mut IntervalState, term: Term, required: Range, depth: u32) -> bool {
        let Some(now) = self.range(state, term) else { return true };
        let Some(new) = now.meet(required) else { return false };
        if new == now || depth == 0 {
            return true;
        }
        let node = self.terms.node(term);
        let width = node.width();
        let depth = depth - 1;
        let operand = |i: usize| node.operand(i);
        match node.op {
            Op::Symbol => {
                if let Some(variable) = self.program.variable_of(node.symbol()) {
                    state.set(self.program, variable, Some(new));
                }
                true
            }
            // These are their own inverses.
            Op::Not | Op::Neg => {
                let inverse = operators::apply(&node, &[Some(new)]).unwrap_or(Range::top(width));
                self.constrain(state, operand(0), inverse, depth)
            }
            Op::Add => self.constrain_sum(state, &node, new, depth),
            Op::Xor => {
                let other = |state: &IntervalState, i: usize| operators::apply(&node, &[Some(new), self.range(state, node.operand(i))]);
                let first = other(state, 1);
                if !first.is_none_or(|r| self.constrain(state, operand(0), r, depth)) {
                    return false;
                }
                let second = other(state, 0);
                second.is_none_or(|r| self.constrain(state, operand(1), r, depth))
            }
            Op::And | Op::Or if width == 1 => self.constrain_logic(state, &node, new, depth),
            Op::And => {
                // Neither operand is smaller than the result.
                let bound = Range::unsigned(width, new.unsigned_min(), Bits::mask(width));
                self.constrain(state, operand(0), bound, depth) && self.constrain(state, operand(1), bound, depth)
            }
            Op::Or => {
                let bound = Range::unsigned(width, 0, new.unsigned_max());
                self.constrain(state, operand(0), bound, depth) && self.constrain(state, operand(1), bound, depth)
            }
            Op::Eq => self.constrain_equality(state, &node, new == Range::truth(true), depth),
            Op::UnsignedLess => self.constrain_unsigned(state, &node, new == Range::truth(true), depth),
            Op::SignedLess => self.constrain_signed(state, &node, new == Range::truth(true), depth),
            Op::ZeroExtend | Op::SignExtend => {
                // The result is among the images of operands, so that cutting undoes the extension.
                let narrow = self.terms.width(operand(0));
                let cut = new.pieces().map(|(a, b)| Range::wrapped(narrow, a, b - a)).reduce(Range::join);
                cut.is_none_or(|r| self.constrain(state, operand(0), r, depth))
            }
            Op::Extract => self.constrain_extract(state, &node, new, depth),
            Op::Concat => self.constrain_concat(state, &node, new, depth),
            Op::Mul | Op::UnsignedDiv | Op::SignedDiv | Op::ShiftLeft | Op::ShiftRight | Op::ShiftRightSigned => {
                let wanted = self.range(state, operand(0)).zip(self.range(state, operand(1)));
                let wanted = wanted.and_then(|(a, b)| undo(&node, new, a, b.as_point()?));
                wanted.is_none_or(|r| self.constrain(state, operand(0), r, depth))
            }
            Op::Ite => self.constrain_choice(state, &node, new, depth),
            _ => true,
        }
    }

    /// Each operand is the sum less the other.
    fn constrain_sum(&self, state: &mut IntervalState, node: &Node, new: Range, depth: u32) -> bool {
        let difference = |state: &IntervalState, other: Term| {
            let other = self.range(state, other)?;
            let mut result: Option<Range> = None;
            for (a, b) in new.pieces() {
                for (c, d) in other.pieces() {
                    let part = Range::wrapped(new.width(), a.wrapping_sub(d), (b - a).checked_add(d - c)?);
                    result = Some(result.map_or(part, |r| r.join(part)));
                }
            }
            result
        };
        for (this, other) in [(0, 1), (1, 0)] {
            if let Some(wanted) = difference(state, node.operand(other))
                && !self.constrain(state, node.operand(this), wanted, depth)
            {
                return false;
            }
        }
        true
    }

    /// Conjunction and disjunction of truth values.
    fn constrain_logic(&self, state: &mut IntervalState, node: &Node, new: Range, depth: u32) -> bool {
        let (a, b) = (node.operand(0), node.operand(1));
        // The value that both operands must have for the result to have it.
        let strict = Range::truth(node.op == Op::And);
        if new == strict {
            return self.constrain(state, a, strict, depth) && self.constrain(state, b, strict, depth);
        }
        let mut other = state.clone();
        let first = self.constrain(state, a, new, depth);
        let second = self.constrain(&mut other, b, new, depth);
        match (first, second) {
            (false, false) => return false,
            (true, true) => self.join_into(state, &other),
            (false, true) => *state = other,
            (true, false) => {}
        }
        true
    }

    fn constrain_equality(&self, state: &mut IntervalState, node: &Node, equal: bool, depth: u32) -> bool {
        for (this, other) in [(0, 1), (1, 0)] {
            let Some(known) = self.range(state, node.operand(other)) else { continue };
            let wanted = if equal {
                known
            } else {
                let (Some(point), Some(range)) = (known.as_point(), self.range(state, node.operand(this))) else { continue };
                match range.without(point.value()) {
                    Some(rest) => rest,
                    None => return false,
                }
            };
            if !self.constrain(state, node.operand(this), wanted, depth) {
                return false;
            }
        }
        true
    }

    fn constrain_unsigned(&self, state: &mut IntervalState, node: &Node, less: bool, depth: u32) -> bool {
        let (a, b) = (node.operand(0), node.operand(1));
        let (Some(x), Some(y)) = (self.range(state, a), self.range(state, b)) else { return true };
        let (width, mask) = (x.width(), Bits::mask(x.width()));
        let (for_a, for_b) = if less {
            if y.unsigned_max() == 0 || x.unsigned_min() == mask {
                return false;
            }
            (Range::unsigned(width, 0, y.unsigned_max() - 1), Range::unsigned(width, x.unsigned_min() + 1, mask))
        } else {
            (Range::unsigned(width, y.unsigned_min(), mask), Range::unsigned(width, 0, x.unsigned_max()))
        };
        self.constrain(state, a, for_a, depth) && self.constrain(state, b, for_b, depth)
    }

    fn constrain_signed(&self, state: &mut IntervalState, node: &Node, less: bool, depth: u32) -> bool {
        let (a, b) = (node.operand(0), node.operand(1));
        let (Some(x), Some(y)) = (self.range(state, a), self.range(state, b)) else { return true };
        let width = x.width();
        let (least, greatest) = signed_limits(width);
        let (for_a, for_b) = if less {
            if y.signed_max() == least || x.signed_min() == greatest {
                return false;
            }
            (Range::signed(width, least, y.signed_max() - 1), Range::signed(width, x.signed_min() + 1, greatest))
        } else {
            (Range::signed(width, y.signed_min(), greatest), Range::signed(width, least, x.signed_max()))
        };
        self.constrain(state, a, for_a, depth) && self.constrain(state, b, for_b, depth)
    }

    /// Cut bits say something about the whole only where the bits above them are known.
    fn constrain_extract(&self, state: &mut IntervalState, node: &Node, new: Range, depth: u32) -> bool {
        let whole = node.operand(0);
        let Some(range) = self.range(state, whole) else { return true };
        let (width, narrow, shift) = (range.width(), node.width(), node.low());
        let wanted = if range.unsigned_max() >> shift <= Bits::mask(narrow) {
            let below = if shift == 0 { 0 } else { Bits::mask(shift) };
            Some(Range::unsigned(width, new.unsigned_min() << shift, new.unsigned_max() << shift | below))
        } else if shift == 0 && range.signed_min() >= signed_limits(narrow).0 && range.signed_max() <= signed_limits(narrow).1 {
            Some(Range::signed(width, new.signed_min(), new.signed_max()))
        } else {
            None
        };
        wanted.is_none_or(|r| self.constrain(state, whole, r, depth))
    }

    fn constrain_concat(&self, state: &mut IntervalState, node: &Node, new: Range, depth: u32) -> bool {
        let (high, low) = (node.operand(0), node.operand(1));
        let (high_width, low_width) = (self.terms.width(high), self.terms.width(low));
        let wanted = Range::unsigned(high_width, new.unsigned_min() >> low_width, new.unsigned_max() >> low_width);
        if !self.constrain(state, high, wanted, depth) {
            return false;
        }
        let Some(high) = self.range(state, high).and_then(|r| r.as_point()) else { return true };
        let base = high.value() << low_width;
        let part = Range::unsigned(node.width(), base, base | Bits::mask(low_width));
        let Some(part) = new.meet(part) else { return false };
        let wanted = part.pieces().map(|(a, b)| Range::unsigned(low_width, a - base, b - base)).reduce(Range::join);
        wanted.is_none_or(|r| self.constrain(state, low, r, depth))
    }

    fn constrain_choice(&self, state: &mut IntervalState, node: &Node, new: Range, depth: u32) -> bool {
        let (condition, then, otherwise) = (node.operand(0), node.operand(1), node.operand(2));
        let possible = |state: &IntervalState, term: Term| self.range(state, term).is_none_or(|r| r.meet(new).is_some());
        match (possible(state, then), possible(state, otherwise)) {
            (false, false) => false,
            (true, false) => self.constrain(state, condition, Range::truth(true), depth) && self.constrain(state, then, new, depth),
            (false, true) => self.constrain(state, condition, Range::truth(false), depth) && self.constrain(state, otherwise, new, depth),
            (true, true) => match self.range(state, condition).and_then(|c| c.as_point()) {
                Some(c) => self.constrain(state, if c.is_true() { then } else { otherwise }, new, depth),
                None => true,
            },
        }
    }
}

/// The least and the greatest value of a width, read as two's complement.
fn signed_limits(width: u32) -> (i128, i128) {
    let least = Bits::new(width, half(width)).signed();
    (least, -(least + 1))
}

/// The first operands for which an operator with the second operand `k` can give the result, where the operator does
/// not wrap on `a`; `None` where that says nothing.
fn undo(node: &Node, result: Range, a: Range, k: Bits) -> Option<Range> {
    let width = node.width();
    let mask = Bits::mask(width);
    let (least, greatest) = signed_limits(width);
    match node.op {
        Op::Mul => {
            let factor = k.signed();
            if factor <= 0 || a.signed_min().checked_mul(factor)? < least || a.signed_max().checked_mul(factor)? > greatest {
                return None;
            }
            let low = ceiling(result.signed_min(), factor);
            let high = result.signed_max().div_euclid(factor);
            (low <= high).then(|| Range::signed(width, low, high))
        }
        Op::UnsignedDiv => {
            let k = k.value();
            if k == 0 {
                return None;
            }
            let low = result.unsigned_min().checked_mul(k).filter(|&v| v <= mask)?;
            let high = result.unsigned_max().checked_mul(k).and_then(|v| v.checked_add(k - 1)).map_or(mask, |v| v.min(mask));
            Some(Range::unsigned(width, low, high))
        }
        Op::SignedDiv => {
            let k = k.signed();
            if k <= 0 {
                return None;
            }
            // Division cuts towards zero.
            let (low, high) = (result.signed_min(), result.signed_max());
            let low = if low > 0 { low.checked_mul(k) } else { low.checked_mul(k).and_then(|v| v.checked_sub(k - 1)) };
            let high = if high < 0 { high.checked_mul(k) } else { high.checked_mul(k).and_then(|v| v.checked_add(k - 1)) };
            let (low, high) = (low.unwrap_or(least).max(least), high.unwrap_or(greatest).min(greatest));
            (low <= high).then(|| Range::signed(width, low, high))
        }
        Op::ShiftLeft => {
            let by = u32::try_from(k.value()).ok().filter(|&by| by < width)?;
            if a.unsigned_max() > mask >> by {
                return None;
            }
            let (low, high) = (result.unsigned_min(), result.unsigned_max() >> by);
            let low = (low >> by) + u128::from(low & ((1 << by) - 1) != 0);
            (low <= high).then(|| Range::unsigned(width, low, high))
        }
        Op::ShiftRight => {
            let by = u32::try_from(k.value()).ok().filter(|&by| by < width)?;
            let below = (1u128 << by) - 1;
            let high = if result.unsigned_max() > mask >> by { mask } else { result.unsigned_max() << by | below };
            (result.unsigned_min() <= mask >> by).then(|| Range::unsigned(width, result.unsigned_min() << by, high))
        }
        Op::ShiftRightSigned => {
            let by = u32::try_from(k.value()).ok().filter(|&by| by < width)?;
            let low = result.signed_min().max(least >> by) << by;
            let high = result.signed_max().min(greatest >> by) << by | ((1i128 << by) - 1);
            (low <= high).then(|| Range::signed(width, low, high))
        }
        _ => None,
    }
}

fn ceiling(value: i128, divisor: i128) -> i128 {
    let quotient = value.div_euclid(divisor);
    if value.rem_euclid(divisor) == 0 { quotient } else { quotient + 1 }
}
