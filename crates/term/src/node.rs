//! Terms, operators and sorts: the plain data of the expression language.

use assay_base::{Id, id_type};

id_type! {
    /// A term of a store. Equality of ids is equality of terms (within one store and its base).
    pub struct Term("t");
    /// A named free symbol of a store: a program variable, an input, an object or a function.
    pub struct SymbolId("s");
}

/// A bit-vector of a width from 1 to 32767 bits, an array between bit-vectors, or the mathematical integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sort(u32);

impl Sort {
    /// Truth values: bit-vectors of width 1.
    pub const BOOL: Sort = Sort(1);
    /// For back ends that have them.
    pub const INTEGER: Sort = Sort(1 << 30);

    /// Bit-vectors of a width from 1 to 32,767.
    pub const fn bv(width: u32) -> Sort {
        debug_assert!(width >= 1 && width < 1 << 15);
        Sort(width)
    }
    /// Arrays from bit-vectors to bit-vectors.
    pub const fn array(index_width: u32, element_width: u32) -> Sort {
        debug_assert!(index_width >= 1 && index_width < 1 << 15 && element_width >= 1 && element_width < 1 << 15);
        Sort(1 << 31 | index_width << 15 | element_width)
    }
    /// Whether it is a sort of arrays.
    pub const fn is_array(self) -> bool {
        self.0 >> 31 == 1
    }
    /// Whether it is that of mathematical integers.
    pub const fn is_integer(self) -> bool {
        self.0 == Self::INTEGER.0
    }
    /// Whether it is a sort of bit-vectors.
    pub const fn is_vector(self) -> bool {
        !self.is_array() && !self.is_integer()
    }
    /// The width of a bit-vector sort, or of an array's elements; 0 for integers, which have none.
    pub const fn width(self) -> u32 {
        self.0 & 0x7FFF
    }
    /// The width of an array's indices.
    pub const fn index_width(self) -> u32 {
        (self.0 >> 15) & 0x7FFF
    }
    /// As a number, for keys and files.
    pub const fn raw(self) -> u32 {
        self.0
    }
}

impl std::fmt::Debug for Sort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            _ if self.is_array() => write!(f, "array<{},{}>", self.index_width(), self.width()),
            _ if self.is_integer() => f.write_str("int"),
            _ => write!(f, "bv{}", self.width()),
        }
    }
}

/// Operators. Bit-vector operators have SMT-LIB's meaning (division by zero gives all ones, remainder by
/// zero the dividend, shifts past the width zero or the sign). Operators `F…` read their operands as IEEE
/// bit patterns of the format that belongs to the width (see [`FloatFormat`](crate::FloatFormat)).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Op {
    /// A constant of at most 128 bits; wider ones are concatenations.
    Const,
    /// A free symbol.
    Symbol,
    /// The address of a variable or function (a symbol of the program), of pointer width.
    Address,
    /// An uninterpreted function (a symbol) applied to a list of arguments.
    Apply,

    /// All bits inverted.
    Not,
    /// The two's complement.
    Neg,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Modulo two to the width.
    Add,
    /// Modulo two to the width.
    Mul,
    /// By zero all bits are ones, as in SMT-LIB.
    UnsignedDiv,
    /// Rounds toward zero; by zero as SMT-LIB's `bvsdiv`.
    SignedDiv,
    /// By zero it is the dividend.
    UnsignedRem,
    /// Has the sign of the dividend; by zero it is the dividend.
    SignedRem,
    /// Zeros come in; by the width or more the result is zero.
    ShiftLeft,
    /// Logical shift right.
    ShiftRight,
    /// Arithmetic shift right.
    ShiftRightSigned,
    /// Of two terms of one sort; the result has width 1.
    Eq,
    /// The result has width 1.
    UnsignedLess,
    /// The result has width 1.
    SignedLess,
    /// The first operand becomes the high bits.
    Concat,
    /// Bits `high` down to `low` of the operand.
    Extract,
    /// Zeros above.
    ZeroExtend,
    /// Copies of the highest bit above.
    SignExtend,
    /// Condition (width 1), then-value, else-value (bit-vectors or arrays).
    Ite,

    /// IEEE addition in the node's rounding mode.
    FAdd,
    /// IEEE subtraction in the node's rounding mode.
    FSub,
    /// IEEE multiplication in the node's rounding mode.
    FMul,
    /// IEEE division in the node's rounding mode.
    FDiv,
    /// C's `fmod`: exact remainder with the sign of the dividend.
    FRem,
    /// IEEE square root in the node's rounding mode.
    FSqrt,
    /// Rounding to an integral value in the given mode.
    FRoundToIntegral,
    /// IEEE equality: zeros are equal, NaN equals nothing.
    FEq,
    /// False with NaN.
    FLess,
    /// False with NaN.
    FLessEq,
    /// Between float formats.
    FConvert,
    /// From a signed integer, in the node's rounding mode.
    FFromSigned,
    /// From an unsigned integer, in the node's rounding mode.
    FFromUnsigned,
    /// To a signed integer; NaN and values out of range give the smallest signed value, as x86 does.
    FToSigned,
    /// To an unsigned integer; NaN and values out of range give all ones.
    FToUnsigned,

    /// The element of an array at an index.
    Select,
    /// The array with another element at an index.
    Store,
    /// The array with the same value everywhere.
    ConstArray,

    /// Sum of mathematical integers.
    IntegerAdd,
    /// Product of mathematical integers.
    IntegerMul,
    /// Negation of a mathematical integer.
    IntegerNeg,
    /// Rounded so that the remainder is not negative, as in SMT-LIB; by zero it has no value.
    IntegerDiv,
    /// The remainder of `IntegerDiv`, never negative.
    IntegerMod,
    /// Less, of mathematical integers; the result has width 1.
    IntegerLess,
    /// The unsigned value of a bit-vector as a mathematical integer.
    IntegerOfUnsigned,
    /// The signed value of a bit-vector as a mathematical integer.
    IntegerOfSigned,
    /// Modulo two to the width.
    IntegerToBits,
}

impl Op {
    /// How many of a node's fields `a`, `b`, `c` are operands.
    #[inline]
    pub const fn arity(self) -> usize {
        use Op::*;
        match self {
            Const | Symbol | Address | Apply => 0,
            Not | Neg | Extract | ZeroExtend | SignExtend | FSqrt | FRoundToIntegral | FConvert | FFromSigned | FFromUnsigned
            | FToSigned | FToUnsigned | ConstArray | IntegerNeg | IntegerOfUnsigned | IntegerOfSigned | IntegerToBits => 1,
            Ite | Store => 3,
            _ => 2,
        }
    }
    /// Whether the value of an operand can be part of the result's value: conditions, comparisons and indices only
    /// choose.
    #[inline]
    pub const fn hands_on(self, index: usize) -> bool {
        match self {
            Op::Eq | Op::UnsignedLess | Op::SignedLess | Op::FEq | Op::FLess | Op::FLessEq | Op::IntegerLess => false,
            Op::Ite => index > 0,
            Op::Select => index == 0,
            Op::Store => index != 1,
            _ => true,
        }
    }
    /// Whether operands may change places; constructors then order them.
    pub const fn is_commutative(self) -> bool {
        matches!(
            self,
            Op::And | Op::Or | Op::Xor | Op::Add | Op::Mul | Op::Eq | Op::FAdd | Op::FMul | Op::FEq | Op::IntegerAdd | Op::IntegerMul
        )
    }
    /// Whether it takes or makes mathematical integers; equality and `ite` take every sort.
    pub const fn is_integer(self) -> bool {
        (self as u8) >= Op::IntegerAdd as u8
    }
    /// Whether it computes with IEEE patterns.
    pub const fn is_float(self) -> bool {
        (self as u8) >= Op::FAdd as u8 && (self as u8) <= Op::FToUnsigned as u8
    }
}

/// IEEE rounding modes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[repr(u8)]
pub enum Round {
    /// To the nearest, ties to even: C's default.
    #[default]
    NearestEven,
    /// To the nearest, ties away from zero.
    NearestAway,
    /// Up.
    TowardPositive,
    /// Down.
    TowardNegative,
    /// What C's conversions to integers do.
    TowardZero,
}

impl Round {
    /// Every mode once.
    pub const ALL: [Round; 5] = [Round::NearestEven, Round::NearestAway, Round::TowardPositive, Round::TowardNegative, Round::TowardZero];
}

/// What a node knows of the whole term, in two bytes: its size as a tree, saturating (small terms are walked without a
/// memo table), and whether its value can be made of addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shape(u16);

impl Shape {
    const ADDRESS: u16 = 1 << 15;
    const LARGEST: u16 = Self::ADDRESS - 1;

    /// Sizes above the largest that fits are cut.
    pub const fn new(tree_size: u16, carries_address: bool) -> Shape {
        let size = if tree_size > Self::LARGEST { Self::LARGEST } else { tree_size };
        Shape(size | if carries_address { Self::ADDRESS } else { 0 })
    }
    /// Nodes counted once for each way to them; saturating.
    pub const fn tree_size(self) -> u16 {
        self.0 & Self::LARGEST
    }
    /// See [`Node::carries_address`].
    pub const fn carries_address(self) -> bool {
        self.0 & Self::ADDRESS != 0
    }
    /// The shape of a term with one more operand.
    #[inline]
    pub(crate) fn with(self, operand: Shape, carries: bool) -> Shape {
        let size = self.tree_size() + operand.tree_size();
        Shape::new(size, self.carries_address() || carries && operand.carries_address())
    }
}

/// One node of the term graph. What the words mean depends on the operator: operands for most, the value
/// (low word first) for `Const`, the symbol in `a` for `Symbol`, `Address` and `Apply` (whose argument list is
/// `b`), and `high` in `c`, `low` in `d` for `Extract`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// What the node does; it says what the words are.
    pub op: Op,
    /// Matters for float operators alone.
    pub round: Round,
    /// What is known of the term as a whole: see [`Shape`].
    pub shape: Shape,
    /// The sort of the value.
    pub sort: Sort,
    /// The first word.
    pub a: u32,
    /// The second word.
    pub b: u32,
    /// The third word.
    pub c: u32,
    /// The fourth word.
    pub d: u32,
    /// Structural: equal in every run and schedule for equal terms; symbols count by name.
    pub fingerprint: u64,
}

impl Node {
    /// The size as a tree, saturating.
    #[inline]
    pub fn tree_size(&self) -> u16 {
        self.shape.tree_size()
    }
    /// Whether the value can be made of an address: one occurs in it, other than in comparisons, conditions of a choice
    /// and indices of arrays, which choose values but hand none on.
    #[inline]
    pub fn carries_address(&self) -> bool {
        self.shape.carries_address()
    }
    /// Of a bit-vector, or of an array's elements.
    #[inline]
    pub fn width(&self) -> u32 {
        self.sort.width()
    }
    /// The operands, apart from an `Apply` node's.
    #[inline]
    pub fn operands(&self) -> ([Term; 3], usize) {
        ([Term(self.a), Term(self.b), Term(self.c)], self.op.arity())
    }
    /// One operand of those that the operator's arity counts.
    #[inline]
    pub fn operand(&self, index: usize) -> Term {
        debug_assert!(index < self.op.arity());
        Term([self.a, self.b, self.c][index])
    }
    /// The value of a `Const` node.
    #[inline]
    pub fn constant(&self) -> u128 {
        debug_assert!(self.op == Op::Const);
        self.a as u128 | (self.b as u128) << 32 | (self.c as u128) << 64 | (self.d as u128) << 96
    }
    /// The symbol of a `Symbol`, `Address` or `Apply` node.
    #[inline]
    pub fn symbol(&self) -> SymbolId {
        debug_assert!(matches!(self.op, Op::Symbol | Op::Address | Op::Apply));
        SymbolId::from_index(self.a as usize)
    }
    /// The highest bit of an `Extract` node.
    pub fn high(&self) -> u32 {
        self.c
    }
    /// The lowest bit of an `Extract` node.
    pub fn low(&self) -> u32 {
        self.d
    }
}
