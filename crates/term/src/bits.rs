//! Concrete bit-vectors of at most 128 bits: what evaluation computes with.

/// A value of a width from 1 to 128; the bits above the width are zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    value: u128,
    width: u32,
}

impl Bits {
    /// Wider values exist only as terms.
    pub const MAX_WIDTH: u32 = 128;
    /// The truth value false.
    pub const FALSE: Bits = Bits { value: 0, width: 1 };
    /// The truth value true.
    pub const TRUE: Bits = Bits { value: 1, width: 1 };

    /// Cuts `value` to `width` bits.
    #[inline]
    pub const fn new(width: u32, value: u128) -> Self {
        debug_assert!(width >= 1 && width <= 128);
        Bits { value: value & Self::mask(width), width }
    }
    /// A truth value, of width 1.
    #[inline]
    pub const fn from_bool(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }
    /// The bits of a width, all set.
    #[inline]
    pub const fn mask(width: u32) -> u128 {
        if width >= 128 { u128::MAX } else { (1 << width) - 1 }
    }
    /// The unsigned value.
    #[inline]
    pub const fn value(self) -> u128 {
        self.value
    }
    /// From 1 to [`MAX_WIDTH`](Self::MAX_WIDTH).
    #[inline]
    pub const fn width(self) -> u32 {
        self.width
    }
    /// Whether it is the truth value true: width 1, value 1.
    #[inline]
    pub const fn is_true(self) -> bool {
        self.value == 1 && self.width == 1
    }
    /// Whether all bits are 0.
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.value == 0
    }
    /// Whether all bits of the width are 1.
    #[inline]
    pub const fn is_all_ones(self) -> bool {
        self.value == Self::mask(self.width)
    }
    /// The value read as two's complement.
    #[inline]
    pub const fn signed(self) -> i128 {
        let shift = 128 - self.width;
        ((self.value << shift) as i128) >> shift
    }
    /// The highest bit of the width.
    #[inline]
    pub const fn sign_bit(self) -> bool {
        self.value >> (self.width - 1) & 1 == 1
    }
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.value, self.width)
    }
}
