//! Literals of the bit level.

/// A bit-level variable; 0 is the constant true.
pub(crate) type Var = u32;

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Lit(pub u32);

impl Lit {
    pub(crate) const TRUE: Lit = Lit(0);
    pub(crate) const FALSE: Lit = Lit(1);

    #[inline]
    pub(crate) const fn new(var: Var, negative: bool) -> Lit {
        Lit(var << 1 | negative as u32)
    }
    #[inline]
    pub(crate) const fn of_bool(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }
    #[inline]
    pub(crate) const fn var(self) -> Var {
        self.0 >> 1
    }
    #[inline]
    pub(crate) const fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
    #[inline]
    pub(crate) const fn is_constant(self) -> bool {
        self.0 < 2
    }
    /// This literal, negated if `negate`.
    #[inline]
    pub(crate) const fn flip(self, negate: bool) -> Lit {
        Lit(self.0 ^ negate as u32)
    }
    /// As DIMACS counts: from 1, negative for negated.
    #[inline]
    pub(crate) const fn dimacs(self) -> i32 {
        let number = self.var() as i32 + 1;
        if self.is_negative() { -number } else { number }
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.is_negative() { "-" } else { "" }, self.var())
    }
}
