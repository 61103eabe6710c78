//! Rules of mathematical integers. Constants that leave 128 bits stay as they are written.

use super::{Goal, Rules};
use crate::integer::integer_of;
use crate::node::{Op, Sort, Term};

impl Rules<'_> {
    /// Everything that has to do with integers; nothing here falls through to the rules of bit-vectors.
    pub(super) fn simplify_integer(&self, g: &Goal) -> Option<Term> {
        let (p, q) = (integer_of(g.x), integer_of(g.y));
        match g.op {
            Op::Eq if g.a == g.b => Some(self.terms.true_()),
            Op::IntegerLess if g.a == g.b => Some(self.terms.false_()),
            Op::Eq | Op::IntegerLess => self.move_integer(g, p, q),
            Op::IntegerAdd => match q {
                Some(0) => Some(g.a),
                Some(k) if g.x.op == Op::IntegerAdd => {
                    let inner = self.terms.as_integer(g.x.operand(1))?;
                    let sum = self.terms.integer(inner.checked_add(k)?);
                    Some(self.integer(Op::IntegerAdd, g.x.operand(0), sum))
                }
                None if g.x.op == Op::IntegerNeg && g.x.a == g.b.0 || g.y.op == Op::IntegerNeg && g.y.a == g.a.0 => {
                    Some(self.terms.integer(0))
                }
                _ => None,
            },
            Op::IntegerMul => match q {
                Some(0) => Some(g.b),
                Some(1) => Some(g.a),
                Some(-1) => Some(self.integer_neg(g.a)),
                Some(k) if g.x.op == Op::IntegerMul => {
                    let inner = self.terms.as_integer(g.x.operand(1))?;
                    let product = self.terms.integer(inner.checked_mul(k)?);
                    Some(self.integer(Op::IntegerMul, g.x.operand(0), product))
                }
                _ => None,
            },
            Op::IntegerNeg if g.x.op == Op::IntegerNeg => Some(g.x.operand(0)),
            Op::IntegerDiv if q == Some(1) => Some(g.a),
            Op::IntegerDiv if q == Some(-1) => Some(self.integer_neg(g.a)),
            Op::IntegerMod if matches!(q, Some(1 | -1)) => Some(self.terms.integer(0)),
            Op::IntegerOfUnsigned if g.x.op == Op::ZeroExtend => Some(self.terms.integer_of(g.x.operand(0), false)),
            Op::IntegerOfSigned if g.x.op == Op::SignExtend => Some(self.terms.integer_of(g.x.operand(0), true)),
            Op::IntegerToBits if matches!(g.x.op, Op::IntegerOfUnsigned | Op::IntegerOfSigned) => {
                Some(self.terms.resize(g.x.operand(0), g.sort.width(), g.x.op == Op::IntegerOfSigned))
            }
            Op::Ite => match self.terms.as_constant(g.a) {
                Some(condition) => Some(if condition.is_true() { g.b } else { g.c }),
                None if g.b == g.c => Some(g.b),
                None if g.x.op == Op::Not => Some(self.ite(g.x.operand(0), g.c, g.b)),
                None => None,
            },
            _ => None,
        }
    }

    /// A constant summand moves to the constant side of a comparison, which is exact where nothing wraps.
    fn move_integer(&self, g: &Goal, p: Option<i128>, q: Option<i128>) -> Option<Term> {
        let moved = |sum: &crate::Node, other: i128| {
            let k = (sum.op == Op::IntegerAdd).then(|| self.terms.as_integer(sum.operand(1))).flatten()?;
            Some((sum.operand(0), self.terms.integer(other.checked_sub(k)?)))
        };
        let (a, b) = match (p, q) {
            (None, Some(k)) => moved(g.x, k)?,
            (Some(k), None) => {
                let (b, a) = moved(g.y, k)?;
                (a, b)
            }
            _ => return None,
        };
        Some(self.make(g.op, g.round, Sort::BOOL, [a.0, b.0, 0, 0]))
    }

    fn integer(&self, op: Op, a: Term, b: Term) -> Term {
        self.make(op, crate::Round::NearestEven, Sort::INTEGER, [a.0, b.0, 0, 0])
    }
    fn integer_neg(&self, a: Term) -> Term {
        self.make(Op::IntegerNeg, crate::Round::NearestEven, Sort::INTEGER, [a.0, 0, 0, 0])
    }
}
