//! IEEE formats and the concrete meaning of the float operators, computed by `rustc_apfloat` (a port of LLVM's
//! arithmetic) and, for the square root and conversions to integers, by integer arithmetic.

use crate::bits::Bits;
use crate::node::{Node, Op, Round};
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round as ApRound};

/// The float format that belongs to a width: half (16), single (32), double (64), x87 extended (80, with an
/// explicit integer bit) and quad (128).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum FloatFormat {
    /// 16 bits.
    Half,
    /// 32 bits: C's `float`.
    Single,
    /// 64 bits: C's `double`.
    Double,
    /// 80 bits with an explicit integer bit: x86's `long double`.
    Extended,
    /// 128 bits.
    Quad,
}

impl FloatFormat {
    /// The format that has this many bits.
    pub const fn of_width(width: u32) -> Option<FloatFormat> {
        Some(match width {
            16 => FloatFormat::Half,
            32 => FloatFormat::Single,
            64 => FloatFormat::Double,
            80 => FloatFormat::Extended,
            128 => FloatFormat::Quad,
            _ => return None,
        })
    }
    /// All bits of a pattern.
    pub const fn width(self) -> u32 {
        match self {
            FloatFormat::Half => 16,
            FloatFormat::Single => 32,
            FloatFormat::Double => 64,
            FloatFormat::Extended => 80,
            FloatFormat::Quad => 128,
        }
    }
    /// The bits of the exponent.
    pub const fn exponent_bits(self) -> u32 {
        match self {
            FloatFormat::Half => 5,
            FloatFormat::Single => 8,
            FloatFormat::Double => 11,
            FloatFormat::Extended | FloatFormat::Quad => 15,
        }
    }
    /// Significand bits with the leading one, whether it is stored or not.
    pub const fn precision(self) -> u32 {
        match self {
            FloatFormat::Half => 11,
            FloatFormat::Single => 24,
            FloatFormat::Double => 53,
            FloatFormat::Extended => 64,
            FloatFormat::Quad => 113,
        }
    }
    /// What the exponent's field exceeds the exponent by.
    pub const fn bias(self) -> i32 {
        (1 << (self.exponent_bits() - 1)) - 1
    }
    /// The one NaN that operations produce: positive and quiet.
    pub const fn nan(self) -> u128 {
        match self {
            FloatFormat::Half => 0x7E00,
            FloatFormat::Single => 0x7FC0_0000,
            FloatFormat::Double => 0x7FF8_0000_0000_0000,
            FloatFormat::Extended => 0x7FFF_C000_0000_0000_0000,
            FloatFormat::Quad => 0x7FFF_8000_0000_0000_0000_0000_0000_0000,
        }
    }
}

/// Whether an operator's result is a float, of which operators produce one NaN only.
pub(crate) fn makes_float(op: Op) -> bool {
    op.is_float() && !matches!(op, Op::FEq | Op::FLess | Op::FLessEq | Op::FToSigned | Op::FToUnsigned)
}

fn rounding(round: Round) -> ApRound {
    match round {
        Round::NearestEven => ApRound::NearestTiesToEven,
        Round::NearestAway => ApRound::NearestTiesToAway,
        Round::TowardPositive => ApRound::TowardPositive,
        Round::TowardNegative => ApRound::TowardNegative,
        Round::TowardZero => ApRound::TowardZero,
    }
}

/// The value of a float operator on concrete operands.
pub fn apply(node: &Node, operands: &[Bits]) -> Option<Bits> {
    let source = operands[0].width();
    match node.op {
        Op::FFromSigned | Op::FFromUnsigned => from_integer(node, operands[0]),
        _ => match FloatFormat::of_width(source)? {
            FloatFormat::Half => with_format::<Half>(node, operands),
            FloatFormat::Single => with_format::<Single>(node, operands),
            FloatFormat::Double => with_format::<Double>(node, operands),
            FloatFormat::Extended => with_format::<X87DoubleExtended>(node, operands),
            FloatFormat::Quad => with_format::<Quad>(node, operands),
        },
    }
}

fn from_integer(node: &Node, operand: Bits) -> Option<Bits> {
    fn make<F: Float>(node: &Node, operand: Bits) -> Bits {
        let round = rounding(node.round);
        let value = if node.op == Op::FFromSigned {
            F::from_i128_r(operand.signed(), round).value
        } else {
            F::from_u128_r(operand.value(), round).value
        };
        Bits::new(node.width(), value.to_bits())
    }
    Some(match FloatFormat::of_width(node.width())? {
        FloatFormat::Half => make::<Half>(node, operand),
        FloatFormat::Single => make::<Single>(node, operand),
        FloatFormat::Double => make::<Double>(node, operand),
        FloatFormat::Extended => make::<X87DoubleExtended>(node, operand),
        FloatFormat::Quad => make::<Quad>(node, operand),
    })
}

fn with_format<F>(node: &Node, operands: &[Bits]) -> Option<Bits>
where
    F: Float + FloatConvert<Half> + FloatConvert<Single> + FloatConvert<Double> + FloatConvert<X87DoubleExtended> + FloatConvert<Quad>,
{
    let round = rounding(node.round);
    let width = node.width();
    let first = F::from_bits(operands[0].value());
    let second = || F::from_bits(operands[1].value());
    let float = |value: F| {
        if value.is_nan() {
            FloatFormat::of_width(width).map(|format| Bits::new(width, format.nan()))
        } else {
            Some(Bits::new(width, value.to_bits()))
        }
    };
    match node.op {
        Op::FAdd => float(first.add_r(second(), round).value),
        Op::FSub => float(first.sub_r(second(), round).value),
        Op::FMul => float(first.mul_r(second(), round).value),
        Op::FDiv => float(first.div_r(second(), round).value),
        Op::FRem => float(first.c_fmod(second()).value),
        Op::FSqrt => square_root(FloatFormat::of_width(width)?, operands[0], node.round),
        Op::FRoundToIntegral => float(first.round_to_integral(round).value),
        Op::FEq => Some(Bits::from_bool(first == second())),
        Op::FLess => Some(Bits::from_bool(first < second())),
        Op::FLessEq => Some(Bits::from_bool(first <= second())),
        Op::FConvert => convert(node, first),
        Op::FToSigned | Op::FToUnsigned => {
            let format = FloatFormat::of_width(operands[0].width())?;
            Some(Bits::new(width, to_integer(format, operands[0], node.op == Op::FToSigned, width, node.round)))
        }
        _ => None,
    }
}

fn convert<F>(node: &Node, value: F) -> Option<Bits>
where
    F: Float + FloatConvert<Half> + FloatConvert<Single> + FloatConvert<Double> + FloatConvert<X87DoubleExtended> + FloatConvert<Quad>,
{
    fn to<F: FloatConvert<T>, T: Float>(value: F, round: ApRound) -> u128 {
        let mut loses = false;
        value.convert_r(round, &mut loses).value.to_bits()
    }
    let format = FloatFormat::of_width(node.width())?;
    if value.is_nan() {
        return Some(Bits::new(node.width(), format.nan()));
    }
    let round = rounding(node.round);
    let bits = match format {
        FloatFormat::Half => to::<F, Half>(value, round),
        FloatFormat::Single => to::<F, Single>(value, round),
        FloatFormat::Double => to::<F, Double>(value, round),
        FloatFormat::Extended => to::<F, X87DoubleExtended>(value, round),
        FloatFormat::Quad => to::<F, Quad>(value, round),
    };
    Some(Bits::new(node.width(), bits))
}

/// A float as what it stands for.
enum Decoded {
    NotANumber,
    Infinite,
    Zero,
    /// The magnitude is `significand * 2^power`.
    Finite {
        significand: u128,
        power: i32,
    },
}

/// The bits below the exponent; x87's format stores the integer bit there.
const fn stored_bits(format: FloatFormat) -> u32 {
    if matches!(format, FloatFormat::Extended) { format.precision() } else { format.precision() - 1 }
}

/// The magnitude of a float pattern. As in the arithmetic, x87 patterns whose integer bit contradicts the
/// exponent are no numbers, apart from subnormal ones with the bit set.
fn decode(format: FloatFormat, bits: u128) -> Decoded {
    let stored = stored_bits(format);
    let exponent_mask = Bits::mask(format.exponent_bits());
    let exponent = (bits >> stored) & exponent_mask;
    let fraction = bits & Bits::mask(stored);
    let explicit = format == FloatFormat::Extended;
    let integer_bit = 1u128 << (format.precision() - 1);
    if exponent == exponent_mask {
        let infinite = if explicit { fraction == integer_bit } else { fraction == 0 };
        return if infinite { Decoded::Infinite } else { Decoded::NotANumber };
    }
    if exponent == 0 && fraction == 0 {
        return Decoded::Zero;
    }
    if explicit && exponent != 0 && fraction & integer_bit == 0 {
        return Decoded::NotANumber;
    }
    let significand = if explicit || exponent == 0 { fraction } else { fraction | integer_bit };
    let power = (exponent as i32).max(1) - format.bias() - (format.precision() as i32 - 1);
    Decoded::Finite { significand, power }
}

/// Whether a magnitude cut at `kept` is rounded up, given the first bit below and whether others follow.
fn rounds_up(round: Round, negative: bool, odd: bool, half: bool, below: bool) -> bool {
    match round {
        Round::NearestEven => half && (below || odd),
        Round::NearestAway => half,
        Round::TowardPositive => !negative && (half || below),
        Round::TowardNegative => negative && (half || below),
        Round::TowardZero => false,
    }
}

/// The integer that a float rounds to, or the pattern for what has none (see [`Op::FToSigned`]).
fn to_integer(format: FloatFormat, operand: Bits, signed: bool, width: u32, round: Round) -> u128 {
    let negative = operand.sign_bit();
    let invalid = if signed { 1 << (width - 1) } else { u128::MAX };
    let (significand, power) = match decode(format, operand.value()) {
        Decoded::Zero => return 0,
        Decoded::Finite { significand, power } => (significand, power),
        _ => return invalid,
    };
    let magnitude = if power >= 0 {
        if power as u32 > significand.leading_zeros() {
            return invalid;
        }
        significand << power
    } else {
        let cut = power.unsigned_abs();
        // Beyond 120 bits nothing is kept and the first bit below is zero.
        let (kept, half, below) = if cut > 120 {
            (0, false, true)
        } else {
            (significand >> cut, significand >> (cut - 1) & 1 == 1, significand & Bits::mask(cut) & !(1 << (cut - 1)) != 0)
        };
        kept + rounds_up(round, negative, kept & 1 == 1, half, below) as u128
    };
    let limit = match (signed, negative) {
        (true, true) => 1 << (width - 1),
        (true, false) => (1 << (width - 1)) - 1,
        (false, true) => 0,
        (false, false) => Bits::mask(width),
    };
    if magnitude > limit {
        return invalid;
    }
    if negative { magnitude.wrapping_neg() } else { magnitude }
}

/// The correctly rounded square root, digit by digit on the significand.
fn square_root(format: FloatFormat, operand: Bits, round: Round) -> Option<Bits> {
    let width = format.width();
    let precision = format.precision();
    let stored = stored_bits(format);
    let negative = operand.sign_bit();
    let (mut significand, mut power) = match decode(format, operand.value()) {
        Decoded::Zero => return Some(operand),
        Decoded::Infinite if !negative => return Some(operand),
        Decoded::Finite { significand, power } if !negative => (significand, power),
        _ => return Some(Bits::new(width, format.nan())),
    };
    // A significand of exactly `precision` bits, and an even power.
    let shift = precision - (128 - significand.leading_zeros());
    significand <<= shift;
    power -= shift as i32;
    if power.rem_euclid(2) == 1 {
        significand <<= 1;
        power -= 1;
    }
    // Digit-by-digit square root of significand * 2^(2k) with k bits more than the precision needs.
    let mut root: u128 = 0;
    let mut rest: u128 = 0;
    let digits = precision + 2;
    let top = significand_top_pair(significand);
    let mut produced = 0;
    let mut pair = top;
    let mut exponent_of_root = power / 2 + top / 2;
    while produced < digits {
        let next = if pair >= 0 { (significand >> pair) & 3 } else { 0 };
        rest = rest << 2 | next;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
        pair -= 2;
        produced += 1;
    }
    exponent_of_root -= produced as i32 - 1;
    // root has `digits` bits; two of them lie below the precision.
    let sticky = rest != 0;
    let low = root & 3;
    let mut kept = root >> 2;
    let half = low >> 1 == 1;
    let below = low & 1 == 1 || sticky;
    let up = rounds_up(round, false, kept & 1 == 1, half, below);
    exponent_of_root += 2;
    if up {
        kept += 1;
        if kept >> precision == 1 {
            kept >>= 1;
            exponent_of_root += 1;
        }
    }
    let biased = (exponent_of_root + precision as i32 - 1 + format.bias()) as u128;
    Some(Bits::new(width, biased << stored | kept & Bits::mask(stored)))
}

/// The (even) position of the highest pair of bits that is not zero.
fn significand_top_pair(significand: u128) -> i32 {
    let highest = 127 - significand.leading_zeros() as i32;
    highest & !1
}
