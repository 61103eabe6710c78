//! Mathematical integers: constructors and the meaning of their operators. Only some back ends have them; the embedded
//! engine says so. A concrete integer is held in 128 bits of two's complement; what does not fit there, and division by
//! zero, has no value.

use crate::bits::Bits;
use crate::node::{Node, Op, Round, Sort, Term};
use crate::store::Terms;

/// The width in which concrete integers are held.
pub const INTEGER_WIDTH: u32 = 128;

/// A concrete integer as evaluation holds it.
pub fn bits_of_integer(value: i128) -> Bits {
    Bits::new(INTEGER_WIDTH, value as u128)
}

impl Terms {
    /// A mathematical integer.
    pub fn integer(&self, value: i128) -> Term {
        let v = value as u128;
        let words = [v as u32, (v >> 32) as u32, (v >> 64) as u32, (v >> 96) as u32];
        self.intern(Op::Const, Round::NearestEven, Sort::INTEGER, words)
    }
    /// The value of an integer constant.
    pub fn as_integer(&self, term: Term) -> Option<i128> {
        integer_of(self.node_ref(term))
    }
    /// `IntegerAdd`, `IntegerMul`, `IntegerDiv` or `IntegerMod`.
    pub fn integer_binary(&self, op: Op, a: Term, b: Term) -> Term {
        debug_assert!(self.sort(a).is_integer() && self.sort(b).is_integer(), "{op:?} on something else than integers");
        self.make(op, Round::NearestEven, Sort::INTEGER, [a.0, b.0, 0, 0])
    }
    /// The sum.
    pub fn integer_add(&self, a: Term, b: Term) -> Term {
        self.integer_binary(Op::IntegerAdd, a, b)
    }
    /// The difference.
    pub fn integer_sub(&self, a: Term, b: Term) -> Term {
        let negative = self.integer_neg(b);
        self.integer_add(a, negative)
    }
    /// The product.
    pub fn integer_mul(&self, a: Term, b: Term) -> Term {
        self.integer_binary(Op::IntegerMul, a, b)
    }
    /// The negation.
    pub fn integer_neg(&self, a: Term) -> Term {
        self.make(Op::IntegerNeg, Round::NearestEven, Sort::INTEGER, [a.0, 0, 0, 0])
    }
    /// Whether the first is less.
    pub fn integer_less(&self, a: Term, b: Term) -> Term {
        debug_assert!(self.sort(a).is_integer() && self.sort(b).is_integer());
        self.make(Op::IntegerLess, Round::NearestEven, Sort::BOOL, [a.0, b.0, 0, 0])
    }
    /// Whether the first is not greater.
    pub fn integer_less_eq(&self, a: Term, b: Term) -> Term {
        let greater = self.integer_less(b, a);
        self.not(greater)
    }
    /// The integer of a bit-vector.
    pub fn integer_of(&self, a: Term, signed: bool) -> Term {
        debug_assert!(self.sort(a).is_vector());
        let op = if signed { Op::IntegerOfSigned } else { Op::IntegerOfUnsigned };
        self.make(op, Round::NearestEven, Sort::INTEGER, [a.0, 0, 0, 0])
    }
    /// An integer modulo two to the width, as a bit-vector.
    pub fn bits_of(&self, a: Term, width: u32) -> Term {
        debug_assert!(self.sort(a).is_integer());
        self.make(Op::IntegerToBits, Round::NearestEven, Sort::bv(width), [a.0, 0, 0, 0])
    }
}

/// The value of an integer constant's node.
pub(crate) fn integer_of(node: &Node) -> Option<i128> {
    (node.op == Op::Const && node.sort.is_integer()).then(|| node.constant() as i128)
}

/// The value of one operator on concrete operands; see [`eval::apply`](crate::eval::apply).
pub(crate) fn apply(node: &Node, operands: &[Bits]) -> Option<Bits> {
    let integer = |value: Option<i128>| value.map(bits_of_integer);
    match (node.op, operands) {
        (Op::Const, []) => integer(integer_of(node)),
        (Op::IntegerAdd, [a, b]) => integer(a.signed().checked_add(b.signed())),
        (Op::IntegerMul, [a, b]) => integer(a.signed().checked_mul(b.signed())),
        (Op::IntegerNeg, [a]) => integer(a.signed().checked_neg()),
        (Op::IntegerDiv, [a, b]) => integer(a.signed().checked_div_euclid(b.signed())),
        (Op::IntegerMod, [a, b]) => integer(a.signed().checked_rem_euclid(b.signed())),
        (Op::IntegerLess, [a, b]) => Some(Bits::from_bool(a.signed() < b.signed())),
        (Op::IntegerOfUnsigned, [a]) => integer(i128::try_from(a.value()).ok()),
        (Op::IntegerOfSigned, [a]) => integer(Some(a.signed())),
        (Op::IntegerToBits, [a]) if node.width() <= Bits::MAX_WIDTH => Some(Bits::new(node.width(), a.value())),
        _ => None,
    }
}
