//! Rules of float operators. Operations produce one canonical NaN, so `x + 0`, `x * 1` and conversions back and
//! forth are not the identity on bit patterns and have no rule here.

use super::{Goal, Rules, constant_of};
use crate::bits::Bits;
use crate::float::{self, FloatFormat};
use crate::node::{Op, Round, Sort, Term};

impl Rules<'_> {
    pub(super) fn simplify_float(&self, g: &Goal) -> Option<Term> {
        match g.op {
            Op::FLess if g.a == g.b => Some(self.terms.false_()),
            // x <= x holds unless x is not a number, and so does x == x.
            Op::FLessEq if g.a == g.b => Some(self.compare(Op::FEq, g.a, g.a)),
            Op::FEq | Op::FLess | Op::FLessEq => self.narrow_float_comparison(g),
            Op::FFromSigned | Op::FFromUnsigned => match (g.op, g.x.op) {
                (_, Op::ZeroExtend) => Some(self.integer_to_float(g, Op::FFromUnsigned, g.x.operand(0))),
                (Op::FFromSigned, Op::SignExtend) => Some(self.integer_to_float(g, Op::FFromSigned, g.x.operand(0))),
                _ => None,
            },
            // An integer that the format holds exactly comes back unchanged.
            Op::FToSigned | Op::FToUnsigned => {
                let precision = FloatFormat::of_width(g.x.width())?.precision();
                let (extension, spare) = match (g.x.op, g.op) {
                    (Op::FFromSigned, Op::FToSigned) => (Op::SignExtend, 0),
                    (Op::FFromUnsigned, Op::FToUnsigned) => (Op::ZeroExtend, 0),
                    (Op::FFromUnsigned, Op::FToSigned) => (Op::ZeroExtend, 1),
                    _ => return None,
                };
                let integer = g.x.operand(0);
                let width = self.terms.width(integer);
                let exact = width <= precision && g.x.width() > 16 && g.sort.width() >= width + spare;
                exact.then(|| self.extend(extension, integer, g.sort.width()))
            }
            _ => None,
        }
    }

    fn integer_to_float(&self, g: &Goal, op: Op, integer: Term) -> Term {
        self.make(op, g.round, g.sort, [integer.0, 0, 0, 0])
    }

    /// Widening keeps order and equality, so widened values are compared before the widening.
    fn narrow_float_comparison(&self, g: &Goal) -> Option<Term> {
        let widened = |op: Op, inner: Term, wide: u32| {
            let narrow = self.terms.width(inner);
            (op == Op::FConvert && narrow < wide).then_some((inner, narrow))
        };
        let wide = g.x.width();
        let left = if g.x.op == Op::FConvert { widened(g.x.op, g.x.operand(0), wide) } else { None };
        let right = if g.y.op == Op::FConvert { widened(g.y.op, g.y.operand(0), wide) } else { None };
        match (left, right) {
            (Some((p, n)), Some((q, m))) if n == m => Some(self.compare(g.op, p, q)),
            (Some((p, n)), None) => {
                let q = self.narrow_float(constant_of(g.y)?, wide, n)?;
                Some(self.compare(g.op, p, q))
            }
            (None, Some((q, n))) => {
                let p = self.narrow_float(constant_of(g.x)?, wide, n)?;
                Some(self.compare(g.op, p, q))
            }
            _ => None,
        }
    }

    /// A float constant in a narrower format, where that loses nothing.
    fn narrow_float(&self, value: u128, wide: u32, narrow: u32) -> Option<Term> {
        let convert = |bits: Bits, width: u32| {
            let node = crate::Node {
                op: Op::FConvert,
                round: Round::NearestEven,
                shape: crate::Shape::new(0, false),
                sort: Sort::bv(width),
                a: 0,
                b: 0,
                c: 0,
                d: 0,
                fingerprint: 0,
            };
            float::apply(&node, &[bits])
        };
        let cut = convert(Bits::new(wide, value), narrow)?;
        (convert(cut, wide)? == Bits::new(wide, value)).then(|| self.terms.constant(cut))
    }
}
