//! Two comparisons of one value with constants, joined by `and` or `or`.
//!
//! `x == k`, `x < k` (unsigned or signed) and their negations are intervals on the circle of the values of one
//! width; containment and disjointness of two such intervals decide many conjunctions.

use super::{Goal, Rules};
use crate::bits::Bits;
use crate::node::{Node, Op, Term};

/// The values from `low` upwards to `high`, past the top to zero where `high < low`.
#[derive(Clone, Copy)]
struct Arc {
    low: u128,
    high: u128,
}

impl Arc {
    fn complement(self, mask: u128) -> Arc {
        Arc { low: self.high.wrapping_add(1) & mask, high: self.low.wrapping_sub(1) & mask }
    }
    fn contains(self, inner: Arc, mask: u128) -> bool {
        let distance = |value: u128| value.wrapping_sub(self.low) & mask;
        distance(inner.low) <= distance(inner.high) && distance(inner.high) <= distance(self.high)
    }
    /// How many values less one.
    fn reach(self, mask: u128) -> u128 {
        self.high.wrapping_sub(self.low) & mask
    }
}

impl Rules<'_> {
    /// The value that a literal compares with a constant, and the values for which it holds.
    fn arc_of<'n>(&'n self, literal: &'n Node) -> Option<(Term, Arc, u32)> {
        let (negated, atom) = if literal.op == Op::Not { (true, self.node(literal.operand(0))) } else { (false, literal) };
        if !matches!(atom.op, Op::Eq | Op::UnsignedLess | Op::SignedLess) {
            return None;
        }
        let right = self.node(atom.operand(1));
        if right.op != Op::Const {
            return None;
        }
        let (k, width) = (right.constant(), right.width());
        let mask = Bits::mask(width);
        let below = k.wrapping_sub(1) & mask;
        let smallest = match atom.op {
            Op::Eq => k,
            Op::UnsignedLess => 0,
            _ => 1 << (width - 1),
        };
        // `x < smallest` holds for nothing and is no arc.
        if atom.op != Op::Eq && k == smallest {
            return None;
        }
        let arc = Arc { low: smallest, high: if atom.op == Op::Eq { k } else { below } };
        Some((atom.operand(0), if negated { arc.complement(mask) } else { arc }, width))
    }

    pub(super) fn simplify_pair_of_ranges(&self, g: &Goal) -> Option<Term> {
        let (subject, p, width) = self.arc_of(g.x)?;
        let (other, q, _) = self.arc_of(g.y)?;
        if subject != other {
            return None;
        }
        let mask = Bits::mask(width);
        if g.op == Op::And {
            if p.complement(mask).contains(q, mask) {
                return Some(self.terms.false_());
            }
            if p.contains(q, mask) {
                return Some(g.b);
            }
            if q.contains(p, mask) {
                return Some(g.a);
            }
            // One value is left where one interval starts at the other's end and they meet nowhere else.
            for (first, second) in [(p, q), (q, p)] {
                let total = first.reach(mask).checked_add(second.reach(mask));
                if first.low == second.high && total.is_some_and(|t| t <= mask) {
                    return Some(self.compare_constant(Op::Eq, subject, first.low));
                }
            }
        } else {
            if p.contains(q.complement(mask), mask) {
                return Some(self.terms.true_());
            }
            if p.contains(q, mask) {
                return Some(g.a);
            }
            if q.contains(p, mask) {
                return Some(g.b);
            }
        }
        None
    }
}
