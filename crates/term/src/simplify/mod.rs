//! The rule set that every constructor runs through before a node is interned.
//!
//! Each rule is an equality that holds for all values (tested against the evaluator), makes the term smaller or
//! brings it to a normal form, and looks a bounded number of levels deep. The rules of one constructor call
//! share a small budget of nested constructions, so that construction stays constant time and never recurses
//! deeply, whatever the operands look like. Orders are by fingerprint, never by id.
//!
//! The normal forms, in short:
//! - constants are the second operand of commutative operators and move outwards in chains of one operator;
//! - subtraction is addition of a negative, a left shift by a constant is a multiplication, `x + x` is `2 * x`;
//! - a comparison with a constant is `x == k` or `x < k`, or the negation of one of these;
//! - operators on zero- or sign-extended values become operators on the narrow values where that is exact;
//! - `ite` with constants 1 and 0 is an extension of its condition; on truth values it is `and` or `or`;
//! - exclusive or of truth values is a negated equality.

mod arith;
mod array;
mod compare;
mod float;
mod integer;
mod ite;
mod logic;
mod range;
mod shift;
mod slice;

use crate::bits::Bits;
use crate::eval;
use crate::integer::bits_of_integer;
use crate::node::{Node, Op, Round, Sort, Term};
use crate::store::Terms;
use std::cell::Cell;

/// How many nested constructions one constructor call may cause before it interns what it has.
const BUDGET: u32 = 48;

/// How deep the rules look for known bits and ranges.
const FACT_DEPTH: u32 = 3;

impl Terms {
    /// Simplifies and interns an operator with operands.
    pub(crate) fn make(&self, op: Op, round: Round, sort: Sort, words: [u32; 4]) -> Term {
        Rules { terms: self, budget: Cell::new(BUDGET) }.make(op, round, sort, words)
    }
}

/// The rules at work for one constructor call.
struct Rules<'a> {
    terms: &'a Terms,
    budget: Cell<u32>,
}

/// An operator about to be built, with its operands' nodes already loaded.
struct Goal<'a> {
    op: Op,
    round: Round,
    sort: Sort,
    a: Term,
    b: Term,
    c: Term,
    x: &'a Node,
    y: &'a Node,
    z: &'a Node,
    high: u32,
    low: u32,
}

/// The value of a bit-vector constant's node.
#[inline]
fn constant_of(node: &Node) -> Option<u128> {
    (node.op == Op::Const && !node.sort.is_integer()).then(|| node.constant())
}

impl Rules<'_> {
    fn make(&self, op: Op, round: Round, sort: Sort, mut words: [u32; 4]) -> Term {
        let arity = op.arity();
        let mut x = self.terms.node_ref(Term(words[0]));
        let mut y = if arity > 1 { self.terms.node_ref(Term(words[1])) } else { x };
        let z = if arity > 2 { self.terms.node_ref(Term(words[2])) } else { x };
        // Constants last, else by structure, never by id.
        if op.is_commutative() && (x.op == Op::Const, x.fingerprint) > (y.op == Op::Const, y.fingerprint) {
            words.swap(0, 1);
            std::mem::swap(&mut x, &mut y);
        }
        if x.op == Op::Const && y.op == Op::Const && z.op == Op::Const {
            let values = [x, y, z].map(|n| match n.sort.is_integer() {
                true => bits_of_integer(n.constant() as i128),
                false => Bits::new(n.width(), n.constant()),
            });
            if let Some(bits) = self.fold(op, round, sort, words, &values[..arity]) {
                return if sort.is_integer() { self.terms.integer(bits.signed()) } else { self.terms.constant(bits) };
            }
        }
        let budget = self.budget.get();
        if budget > 0 {
            self.budget.set(budget - 1);
            let (a, b, c) = (Term(words[0]), Term(words[1]), Term(words[2]));
            let goal = Goal { op, round, sort, a, b, c, x, y, z, high: words[2], low: words[3] };
            if let Some(simpler) = self.simplify(&goal) {
                return simpler;
            }
        }
        self.terms.intern_loaded(op, round, sort, words, [x, y, z])
    }

    fn fold(&self, op: Op, round: Round, sort: Sort, words: [u32; 4], values: &[Bits]) -> Option<Bits> {
        let [a, b, c, d] = words;
        eval::apply(&Node { op, round, shape: crate::Shape::new(0, false), sort, a, b, c, d, fingerprint: 0 }, values)
    }

    fn simplify(&self, g: &Goal) -> Option<Term> {
        if g.op.is_integer() || g.sort.is_integer() || g.x.sort.is_integer() {
            return self.simplify_integer(g);
        }
        match g.op {
            Op::Extract => return self.simplify_extract(g),
            Op::Concat => return self.simplify_concat(g),
            Op::Ite => return self.simplify_ite(g),
            Op::Select => return self.simplify_select(g),
            Op::Store => return self.simplify_store(g),
            Op::ConstArray => return None,
            _ => {}
        }
        // Arrays and values too wide for a constant have only the rules that need no arithmetic.
        if g.x.sort.is_array() || g.x.width() > Bits::MAX_WIDTH {
            return match g.op {
                Op::Eq if g.a == g.b => Some(self.terms.true_()),
                Op::UnsignedLess | Op::SignedLess if g.a == g.b => Some(self.terms.false_()),
                Op::Not | Op::Neg if g.x.op == g.op => Some(g.x.operand(0)),
                Op::And | Op::Or if g.a == g.b => Some(g.a),
                Op::ZeroExtend | Op::SignExtend => self.simplify_extension(g),
                _ => None,
            };
        }
        if let Some(lifted) = self.lift_ite(g) {
            return Some(lifted);
        }
        if g.x.width() == 1
            && let Some(simpler) = self.simplify_truth(g)
        {
            return Some(simpler);
        }
        match g.op {
            Op::Not => self.simplify_not(g),
            Op::Neg => self.simplify_neg(g),
            Op::And | Op::Or => self.simplify_and_or(g),
            Op::Xor => self.simplify_xor(g),
            Op::Add => self.simplify_add(g),
            Op::Mul => self.simplify_mul(g),
            Op::UnsignedDiv | Op::SignedDiv | Op::UnsignedRem | Op::SignedRem => self.simplify_division(g),
            Op::ShiftLeft | Op::ShiftRight | Op::ShiftRightSigned => self.simplify_shift(g),
            Op::Eq => self.simplify_eq(g),
            Op::UnsignedLess => self.simplify_unsigned_less(g),
            Op::SignedLess => self.simplify_signed_less(g),
            Op::ZeroExtend | Op::SignExtend => self.simplify_extension(g),
            _ => self.simplify_float(g),
        }
    }

    // The constructors as the rules use them: they draw on this call's budget.

    fn number(&self, width: u32, value: u128) -> Term {
        self.terms.number(width, value)
    }
    fn node(&self, term: Term) -> &Node {
        self.terms.node_ref(term)
    }
    fn value(&self, term: Term) -> Option<u128> {
        constant_of(self.terms.node_ref(term))
    }
    fn unary(&self, op: Op, a: Term) -> Term {
        self.make(op, Round::NearestEven, self.terms.sort(a), [a.0, 0, 0, 0])
    }
    fn not(&self, a: Term) -> Term {
        self.unary(Op::Not, a)
    }
    fn neg(&self, a: Term) -> Term {
        self.unary(Op::Neg, a)
    }
    fn binary(&self, op: Op, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.terms.sort(a), self.terms.sort(b), "{op:?} on different sorts");
        self.make(op, Round::NearestEven, self.terms.sort(a), [a.0, b.0, 0, 0])
    }
    fn and(&self, a: Term, b: Term) -> Term {
        self.binary(Op::And, a, b)
    }
    fn or(&self, a: Term, b: Term) -> Term {
        self.binary(Op::Or, a, b)
    }
    fn add(&self, a: Term, b: Term) -> Term {
        self.binary(Op::Add, a, b)
    }
    fn mul(&self, a: Term, b: Term) -> Term {
        self.binary(Op::Mul, a, b)
    }
    /// A binary operator with a constant second operand.
    fn with_constant(&self, op: Op, a: Term, value: u128) -> Term {
        let k = self.number(self.terms.width(a), value);
        self.binary(op, a, k)
    }
    fn compare(&self, op: Op, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.terms.sort(a), self.terms.sort(b), "{op:?} on different sorts");
        self.make(op, Round::NearestEven, Sort::BOOL, [a.0, b.0, 0, 0])
    }
    fn eq(&self, a: Term, b: Term) -> Term {
        self.compare(Op::Eq, a, b)
    }
    fn compare_constant(&self, op: Op, a: Term, value: u128) -> Term {
        let k = self.number(self.terms.width(a), value);
        self.compare(op, a, k)
    }
    fn extract(&self, a: Term, high: u32, low: u32) -> Term {
        self.make(Op::Extract, Round::NearestEven, Sort::bv(high - low + 1), [a.0, 0, high, low])
    }
    fn concat(&self, a: Term, b: Term) -> Term {
        let width = self.terms.width(a) + self.terms.width(b);
        self.make(Op::Concat, Round::NearestEven, Sort::bv(width), [a.0, b.0, 0, 0])
    }
    fn extend(&self, op: Op, a: Term, width: u32) -> Term {
        if width == self.terms.width(a) { a } else { self.make(op, Round::NearestEven, Sort::bv(width), [a.0, 0, 0, 0]) }
    }
    fn ite(&self, c: Term, a: Term, b: Term) -> Term {
        self.make(Op::Ite, Round::NearestEven, self.terms.sort(a), [c.0, a.0, b.0, 0])
    }

    /// The other operand of a node with two operands, if one of them is `part`.
    fn other_operand(&self, node: &Node, part: Term) -> Option<Term> {
        if node.a == part.0 {
            Some(Term(node.b))
        } else if node.b == part.0 {
            Some(Term(node.a))
        } else {
            None
        }
    }
    fn is_complement(&self, (a, x): (Term, &Node), (b, y): (Term, &Node)) -> bool {
        x.op == Op::Not && x.a == b.0 || y.op == Op::Not && y.a == a.0
    }
}

/// Whether the value is a block of ones from bit 0 upwards; how many.
fn low_ones(value: u128) -> Option<u32> {
    let count = value.trailing_ones();
    (count > 0 && value == Bits::mask(count)).then_some(count)
}

/// Whether a constant survives narrowing to `narrow` bits and extension back by this operator.
fn fits(op: Op, value: u128, wide: u32, narrow: u32) -> bool {
    let cut = Bits::new(narrow, value);
    let back = if op == Op::ZeroExtend { cut.value() } else { cut.signed() as u128 };
    Bits::new(wide, back).value() == value
}
