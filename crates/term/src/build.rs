//! Constructors: the front door of the store. Each one checks the sorts in debug builds, simplifies, and
//! interns what is left.

use crate::bits::Bits;
use crate::node::{Op, Round, Sort, SymbolId, Term};
use crate::store::Terms;

impl Terms {
    /// The term of a value.
    pub fn constant(&self, bits: Bits) -> Term {
        let v = bits.value();
        let words = [v as u32, (v >> 32) as u32, (v >> 64) as u32, (v >> 96) as u32];
        self.intern(Op::Const, Round::NearestEven, Sort::bv(bits.width()), words)
    }
    /// A constant of a width of at most 128 bits; `value` is cut to it.
    pub fn number(&self, width: u32, value: u128) -> Term {
        self.constant(Bits::new(width, value))
    }
    /// A truth value: width 1.
    pub fn bool(&self, value: bool) -> Term {
        self.constant(Bits::from_bool(value))
    }
    /// The truth value true.
    pub fn true_(&self) -> Term {
        self.bool(true)
    }
    /// The truth value false.
    pub fn false_(&self) -> Term {
        self.bool(false)
    }
    /// A free symbol, of the sort that it was interned with.
    pub fn symbol(&self, symbol: SymbolId) -> Term {
        let sort = self.symbol_info(symbol).sort;
        self.intern(Op::Symbol, Round::NearestEven, sort, [symbol.0, 0, 0, 0])
    }
    /// The symbol of this name and sort, as a term.
    pub fn named(&self, name: &str, sort: Sort) -> Term {
        let symbol = self.intern_symbol(name, sort);
        self.symbol(symbol)
    }
    /// The address of a variable or function.
    pub fn address(&self, symbol: SymbolId, pointer_width: u32) -> Term {
        self.intern(Op::Address, Round::NearestEven, Sort::bv(pointer_width), [symbol.0, 0, 0, 0])
    }

    /// The value of a constant term; integers have [`as_integer`](Self::as_integer).
    #[inline]
    pub fn as_constant(&self, term: Term) -> Option<Bits> {
        let node = self.node_ref(term);
        (node.op == Op::Const && !node.sort.is_integer()).then(|| Bits::new(node.width(), node.constant()))
    }
    /// Whether it is the constant true; a term that only evaluates to it is not.
    pub fn is_true(&self, term: Term) -> bool {
        self.as_constant(term).is_some_and(Bits::is_true)
    }
    /// Whether it is the constant false.
    pub fn is_false(&self, term: Term) -> bool {
        self.as_constant(term).is_some_and(|b| b.width() == 1 && b.is_zero())
    }

    /// All bits inverted; of a truth value, its negation.
    pub fn not(&self, a: Term) -> Term {
        self.make(Op::Not, Round::NearestEven, self.sort(a), [a.0, 0, 0, 0])
    }
    /// The two's complement.
    pub fn neg(&self, a: Term) -> Term {
        self.make(Op::Neg, Round::NearestEven, self.sort(a), [a.0, 0, 0, 0])
    }
    /// Any operator of two operands of one width whose result has that width too.
    pub fn binary(&self, op: Op, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b), "{op:?} on different sorts");
        self.make(op, Round::NearestEven, self.sort(a), [a.0, b.0, 0, 0])
    }
    /// Bitwise, of one width; of truth values, the conjunction.
    pub fn and(&self, a: Term, b: Term) -> Term {
        self.binary(Op::And, a, b)
    }
    /// Bitwise, of one width; of truth values, the disjunction.
    pub fn or(&self, a: Term, b: Term) -> Term {
        self.binary(Op::Or, a, b)
    }
    /// Bitwise, of one width.
    pub fn xor(&self, a: Term, b: Term) -> Term {
        self.binary(Op::Xor, a, b)
    }
    /// Bitwise; of truth values, the implication.
    pub fn implies(&self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }
    /// The conjunction; true without parts.
    pub fn and_all(&self, parts: impl IntoIterator<Item = Term>) -> Term {
        parts.into_iter().fold(self.true_(), |a, b| self.and(a, b))
    }
    /// The disjunction; false without parts.
    pub fn or_all(&self, parts: impl IntoIterator<Item = Term>) -> Term {
        parts.into_iter().fold(self.false_(), |a, b| self.or(a, b))
    }
    /// Modulo two to the width.
    pub fn add(&self, a: Term, b: Term) -> Term {
        self.binary(Op::Add, a, b)
    }
    /// Subtraction is addition of the negative: one normal form.
    pub fn sub(&self, a: Term, b: Term) -> Term {
        let negative = self.neg(b);
        self.binary(Op::Add, a, negative)
    }
    /// Modulo two to the width.
    pub fn mul(&self, a: Term, b: Term) -> Term {
        self.binary(Op::Mul, a, b)
    }

    /// A comparison (`Eq`, `UnsignedLess`, `SignedLess`, `FEq`, `FLess`, `FLessEq`).
    pub fn compare(&self, op: Op, a: Term, b: Term) -> Term {
        debug_assert!(matches!(op, Op::Eq | Op::UnsignedLess | Op::SignedLess | Op::FEq | Op::FLess | Op::FLessEq));
        debug_assert_eq!(self.sort(a), self.sort(b), "{op:?} on different sorts");
        self.make(op, Round::NearestEven, Sort::BOOL, [a.0, b.0, 0, 0])
    }
    /// Whether two terms of one sort are equal, bit by bit.
    pub fn eq(&self, a: Term, b: Term) -> Term {
        self.compare(Op::Eq, a, b)
    }
    /// Whether two terms of one sort differ.
    pub fn ne(&self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }
    /// Unsigned less.
    pub fn ult(&self, a: Term, b: Term) -> Term {
        self.compare(Op::UnsignedLess, a, b)
    }
    /// Unsigned less or equal.
    pub fn ule(&self, a: Term, b: Term) -> Term {
        let greater = self.ult(b, a);
        self.not(greater)
    }
    /// Signed less.
    pub fn slt(&self, a: Term, b: Term) -> Term {
        self.compare(Op::SignedLess, a, b)
    }
    /// Signed less or equal.
    pub fn sle(&self, a: Term, b: Term) -> Term {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// `high` becomes the high bits.
    pub fn concat(&self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        self.make(Op::Concat, Round::NearestEven, Sort::bv(width), [high.0, low.0, 0, 0])
    }
    /// The bits from `high` down to `low`, both included.
    pub fn extract(&self, a: Term, high: u32, low: u32) -> Term {
        debug_assert!(high >= low && high < self.width(a), "extract {high}..{low} of width {}", self.width(a));
        self.make(Op::Extract, Round::NearestEven, Sort::bv(high - low + 1), [a.0, 0, high, low])
    }
    /// With zeros above, to a width that is not smaller.
    pub fn zero_extend(&self, a: Term, width: u32) -> Term {
        debug_assert!(width >= self.width(a));
        if width == self.width(a) { a } else { self.make(Op::ZeroExtend, Round::NearestEven, Sort::bv(width), [a.0, 0, 0, 0]) }
    }
    /// With copies of the highest bit above, to a width that is not smaller.
    pub fn sign_extend(&self, a: Term, width: u32) -> Term {
        debug_assert!(width >= self.width(a));
        if width == self.width(a) { a } else { self.make(Op::SignExtend, Round::NearestEven, Sort::bv(width), [a.0, 0, 0, 0]) }
    }
    /// To any width: cut, or extended by sign or zeros.
    pub fn resize(&self, a: Term, width: u32, signed: bool) -> Term {
        if width < self.width(a) {
            self.extract(a, width - 1, 0)
        } else if signed {
            self.sign_extend(a, width)
        } else {
            self.zero_extend(a, width)
        }
    }
    /// A choice by a truth value; both sides have one sort.
    pub fn ite(&self, condition: Term, then: Term, otherwise: Term) -> Term {
        debug_assert_eq!(self.sort(condition), Sort::BOOL);
        debug_assert_eq!(self.sort(then), self.sort(otherwise), "ite on different sorts");
        self.make(Op::Ite, Round::NearestEven, self.sort(then), [condition.0, then.0, otherwise.0, 0])
    }
    /// `a != 0` as a truth value.
    pub fn is_nonzero(&self, a: Term) -> Term {
        let width = self.width(a);
        if width == 1 {
            return a;
        }
        let zero = self.number(width, 0);
        self.ne(a, zero)
    }

    /// `FAdd`, `FSub`, `FMul`, `FDiv` or `FRem`.
    pub fn float_binary(&self, op: Op, round: Round, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        self.make(op, round, self.sort(a), [a.0, b.0, 0, 0])
    }
    /// `FSqrt` or `FRoundToIntegral`.
    pub fn float_unary(&self, op: Op, round: Round, a: Term) -> Term {
        self.make(op, round, self.sort(a), [a.0, 0, 0, 0])
    }
    /// `FConvert`, `FFromSigned`, `FFromUnsigned`, `FToSigned` or `FToUnsigned` to a width.
    pub fn float_convert(&self, op: Op, round: Round, a: Term, width: u32) -> Term {
        if op == Op::FConvert && self.width(a) == width {
            return a;
        }
        self.make(op, round, Sort::bv(width), [a.0, 0, 0, 0])
    }

    /// The element at an index.
    pub fn select(&self, array: Term, index: Term) -> Term {
        let sort = self.sort(array);
        debug_assert!(sort.is_array() && sort.index_width() == self.width(index));
        self.make(Op::Select, Round::NearestEven, Sort::bv(sort.width()), [array.0, index.0, 0, 0])
    }
    /// The array with another value at an index.
    pub fn store(&self, array: Term, index: Term, value: Term) -> Term {
        self.make(Op::Store, Round::NearestEven, self.sort(array), [array.0, index.0, value.0, 0])
    }
    /// The array that has the same value at every index.
    pub fn const_array(&self, index_width: u32, value: Term) -> Term {
        self.make(Op::ConstArray, Round::NearestEven, Sort::array(index_width, self.width(value)), [value.0, 0, 0, 0])
    }

    /// The same operator on other operands, simplified again.
    pub fn rebuild(&self, node: &crate::Node, operands: &[Term]) -> Term {
        if node.op == Op::Apply {
            return self.apply(node.symbol(), operands, node.sort);
        }
        let mut words = [node.a, node.b, node.c, node.d];
        for (word, operand) in words.iter_mut().zip(operands) {
            *word = operand.0;
        }
        if node.op.arity() == 0 {
            return self.intern(node.op, node.round, node.sort, words);
        }
        self.make(node.op, node.round, node.sort, words)
    }
}
