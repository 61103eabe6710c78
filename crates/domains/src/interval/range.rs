//! Sets of bit-vectors as two intervals: one among the values whose sign bit is clear, one among those whose sign bit
//! is set. Unsigned and signed bounds both follow from the pair, so neither view of a register is preferred and
//! wrap-around arithmetic stays exact where it crosses zero or the sign change.

use assay_term::{Bits, Term, Terms};

/// An interval of unsigned values, both ends inclusive, that does not cross the sign change.
pub type Piece = (u128, u128);

/// A set of values of one width (1 to 128). Never empty: operations that can leave nothing give an `Option`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    width: u32,
    /// Values below the sign change.
    low: Option<Piece>,
    /// Values from the sign change on.
    high: Option<Piece>,
}

impl Range {
    /// Every value of the width.
    pub fn top(width: u32) -> Range {
        let (mask, half) = (Bits::mask(width), half(width));
        Range { width, low: Some((0, half - 1)), high: Some((half, mask)) }
    }
    /// One value.
    pub fn point(bits: Bits) -> Range {
        Range::unsigned(bits.width(), bits.value(), bits.value())
    }
    /// A truth value.
    pub fn truth(value: bool) -> Range {
        Range::point(Bits::from_bool(value))
    }
    /// The values from `least` to `greatest`, read as unsigned.
    pub fn unsigned(width: u32, least: u128, greatest: u128) -> Range {
        debug_assert!(least <= greatest && greatest <= Bits::mask(width));
        let half = half(width);
        Range {
            width,
            low: (least < half).then(|| (least, greatest.min(half - 1))),
            high: (greatest >= half).then(|| (least.max(half), greatest)),
        }
    }
    /// The values from `least` to `greatest`, read as two's complement.
    pub fn signed(width: u32, least: i128, greatest: i128) -> Range {
        debug_assert!(least <= greatest);
        Range::wrapped(width, least as u128, greatest.wrapping_sub(least) as u128)
    }
    /// `start`, `start + 1`, … `start + span`, all cut to the width.
    pub fn wrapped(width: u32, start: u128, span: u128) -> Range {
        let mask = Bits::mask(width);
        if span >= mask {
            return Range::top(width);
        }
        let start = start & mask;
        let end = start.wrapping_add(span) & mask;
        if start <= end {
            Range::unsigned(width, start, end)
        } else {
            Range::unsigned(width, start, mask).join(Range::unsigned(width, 0, end))
        }
    }
    /// The pieces put together again; `None` if both are empty. They must lie on their sides of the sign change.
    pub fn of_pieces(width: u32, low: Option<Piece>, high: Option<Piece>) -> Option<Range> {
        let keep = |piece: Option<Piece>| piece.filter(|(a, b)| a <= b);
        let range = Range { width, low: keep(low), high: keep(high) };
        debug_assert!(range.low.is_none_or(|(_, b)| b < half(width)) && range.high.is_none_or(|(a, _)| a >= half(width)));
        (range.low.is_some() || range.high.is_some()).then_some(range)
    }

    /// In bits.
    pub fn width(&self) -> u32 {
        self.width
    }
    /// The values below the sign change, if there are any.
    pub fn low(&self) -> Option<Piece> {
        self.low
    }
    /// The values from the sign change on, if there are any.
    pub fn high(&self) -> Option<Piece> {
        self.high
    }
    /// The one or two pieces, in unsigned order.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> + use<> {
        self.low.into_iter().chain(self.high)
    }
    /// Whether it has every value of its width.
    pub fn is_top(&self) -> bool {
        *self == Range::top(self.width)
    }
    /// The one value, if there is only one.
    pub fn as_point(&self) -> Option<Bits> {
        match (self.low, self.high) {
            (Some((a, b)), None) | (None, Some((a, b))) if a == b => Some(Bits::new(self.width, a)),
            _ => None,
        }
    }
    /// That the value of a term of this width lies in the range.
    pub fn holds_of(&self, terms: &Terms, term: Term) -> Term {
        let constant = |value| terms.constant(Bits::new(self.width, value));
        let pieces =
            self.pieces().map(|(least, greatest)| terms.and(terms.ule(constant(least), term), terms.ule(term, constant(greatest))));
        terms.or_all(pieces.collect::<Vec<_>>())
    }
    /// Whether it has the value, read as unsigned.
    pub fn contains(&self, value: u128) -> bool {
        self.pieces().any(|(a, b)| a <= value && value <= b)
    }
    /// Whether it has every value of the other, which has the same width.
    pub fn contains_range(&self, other: &Range) -> bool {
        let inside = |small: Option<Piece>, large: Option<Piece>| match (small, large) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some((a, b)), Some((c, d))) => c <= a && b <= d,
        };
        self.width == other.width && inside(other.low, self.low) && inside(other.high, self.high)
    }

    /// The least value, read as unsigned.
    pub fn unsigned_min(&self) -> u128 {
        self.low.or(self.high).map_or(0, |(a, _)| a)
    }
    /// The greatest value, read as unsigned.
    pub fn unsigned_max(&self) -> u128 {
        self.high.or(self.low).map_or(0, |(_, b)| b)
    }
    /// The least value, read as two's complement.
    pub fn signed_min(&self) -> i128 {
        self.high.or(self.low).map_or(0, |(a, _)| Bits::new(self.width, a).signed())
    }
    /// The greatest value, read as two's complement.
    pub fn signed_max(&self) -> i128 {
        self.low.or(self.high).map_or(0, |(_, b)| Bits::new(self.width, b).signed())
    }

    /// The smallest range that has the values of both.
    #[must_use]
    pub fn join(self, other: Range) -> Range {
        debug_assert_eq!(self.width, other.width);
        let hull = |x: Option<Piece>, y: Option<Piece>| match (x, y) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (x, y) => x.or(y),
        };
        Range { width: self.width, low: hull(self.low, other.low), high: hull(self.high, other.high) }
    }
    /// What is in both; exact.
    #[must_use]
    pub fn meet(self, other: Range) -> Option<Range> {
        debug_assert_eq!(self.width, other.width);
        let common = |x: Option<Piece>, y: Option<Piece>| match (x, y) {
            (Some((a, b)), Some((c, d))) => Some((a.max(c), b.min(d))),
            _ => None,
        };
        Range::of_pieces(self.width, common(self.low, other.low), common(self.high, other.high))
    }
    /// The set without a value, where that is at an end of a piece.
    #[must_use]
    pub fn without(self, value: u128) -> Option<Range> {
        let cut = |piece: Option<Piece>| {
            piece.and_then(|(a, b)| match (a == value, b == value) {
                (true, true) => None,
                (true, false) => Some((a + 1, b)),
                (false, true) => Some((a, b - 1)),
                _ => Some((a, b)),
            })
        };
        Range::of_pieces(self.width, cut(self.low), cut(self.high))
    }
}

/// The first value whose sign bit is set.
pub(super) fn half(width: u32) -> u128 {
    1 << (width - 1)
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let signed = |v| Bits::new(self.width, v).signed();
        match (self.low, self.high) {
            _ if self.is_top() => write!(f, "any"),
            (Some((0, b)), Some((a, c))) if c == Bits::mask(self.width) => write!(f, "[{}, {b}]", signed(a)),
            (low, high) => {
                let mut separator = "";
                for (a, b) in high.into_iter().chain(low) {
                    if a == b {
                        write!(f, "{separator}{}", signed(a))?;
                    } else {
                        write!(f, "{separator}[{}, {}]", signed(a), signed(b))?;
                    }
                    separator = " or ";
                }
                Ok(())
            }
        }
    }
}
