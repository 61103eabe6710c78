//! IEEE arithmetic as circuits: unpack to a normalised significand, compute exactly (with a sticky bit for what
//! lies below), round once. The reference is the evaluator of the term crate, down to the bit pattern of NaN.

use super::circuit::Circuit;
use super::lit::Lit;
use super::words::{Word, constant, sign_extend, zero_extend, zeros};
use assay_term::{FloatFormat, Round};

/// A float taken apart. For finite numbers but zero: `(-1)^sign * significand * 2^(exponent - (precision - 1))`, with
/// the significand's highest bit set. Zero has a significand of zero and the lowest exponent of all.
pub(crate) struct Unpacked {
    pub nan: Lit,
    pub infinite: Lit,
    pub zero: Lit,
    pub sign: Lit,
    /// Signed.
    pub exponent: Word,
    pub significand: Word,
}

/// Bits of the signed exponents that are computed with: enough for subnormals with normalised significands.
fn exponent_width(format: FloatFormat) -> usize {
    format.exponent_bits() as usize + 2
}

fn log2_ceil(value: usize) -> usize {
    (usize::BITS - (value - 1).leading_zeros()) as usize
}

fn signed_constant(width: usize, value: i64) -> Word {
    constant(width as u32, value as i128 as u128)
}

fn nan_word(format: FloatFormat) -> Word {
    constant(format.width(), format.nan())
}

/// Where the parts of a bit pattern lie.
struct Fields<'a> {
    fraction: &'a [Lit],
    /// The explicit integer bit of the x87 format.
    integer: Option<Lit>,
    exponent: &'a [Lit],
    sign: Lit,
}

fn fields(format: FloatFormat, bits: &[Lit]) -> Fields<'_> {
    let fraction = format.precision() as usize - 1;
    let exponent = format.exponent_bits() as usize;
    let explicit = format == FloatFormat::Extended;
    let start = fraction + explicit as usize;
    Fields {
        fraction: &bits[..fraction],
        integer: explicit.then(|| bits[fraction]),
        exponent: &bits[start..start + exponent],
        sign: bits[start + exponent],
    }
}

struct Classes {
    nan: Lit,
    infinite: Lit,
    zero: Lit,
    /// The leading bit of the significand.
    leading: Lit,
    exponent_zero: Lit,
}

impl Circuit {
    fn classify(&mut self, f: &Fields<'_>) -> Classes {
        let exponent_zero = self.is_zero(f.exponent);
        let exponent_ones = self.and_all(f.exponent);
        let fraction_zero = self.is_zero(f.fraction);
        match f.integer {
            None => Classes {
                nan: self.and(exponent_ones, !fraction_zero),
                infinite: self.and(exponent_ones, fraction_zero),
                zero: self.and(exponent_zero, fraction_zero),
                leading: !exponent_zero,
                exponent_zero,
            },
            Some(integer) => {
                let infinite = self.and_all(&[exponent_ones, fraction_zero, integer]);
                let top_nan = self.and(exponent_ones, !infinite);
                // Patterns without the integer bit are no numbers.
                let unnormal = self.and_all(&[!exponent_ones, !exponent_zero, !integer]);
                Classes {
                    nan: self.or(top_nan, unnormal),
                    infinite,
                    zero: self.and_all(&[exponent_zero, fraction_zero, !integer]),
                    leading: integer,
                    exponent_zero,
                }
            }
        }
    }

    pub(crate) fn unpack(&mut self, format: FloatFormat, bits: &[Lit]) -> Unpacked {
        let f = fields(format, bits);
        let classes = self.classify(&f);
        let width = exponent_width(format);
        let mut biased = f.exponent.to_vec();
        // Subnormals have the exponent of the smallest normal numbers.
        biased[0] = self.or(biased[0], classes.exponent_zero);
        let biased = zero_extend(&biased, width);
        let bias = signed_constant(width, -(format.bias() as i64));
        let exponent = self.add(&biased, &bias);
        let mut significand = f.fraction.to_vec();
        significand.push(classes.leading);
        let (significand, shift) = self.normalise(&significand);
        let shift = zero_extend(&shift, width);
        let exponent = self.sub(&exponent, &shift);
        Unpacked { nan: classes.nan, infinite: classes.infinite, zero: classes.zero, sign: f.sign, exponent, significand }
    }

    /// Shifts left until the highest bit is set; also gives by how much (the most possible for zero).
    fn normalise(&mut self, word: &[Lit]) -> (Word, Word) {
        let width = word.len();
        let stages = log2_ceil(width.max(2));
        let mut result = word.to_vec();
        let mut shift = zeros(stages);
        for k in (0..stages).rev() {
            let step = 1usize << k;
            if step >= width {
                continue;
            }
            let empty = self.is_zero(&result[width - step..]);
            shift[k] = empty;
            let mut moved = zeros(step);
            moved.extend_from_slice(&result[..width - step]);
            result = self.mux_word(empty, &moved, &result);
        }
        (result, shift)
    }

    /// Shifts right; what falls out is gathered in the lowest bit.
    fn shift_right_sticky(&mut self, word: &[Lit], amount: &[Lit]) -> Word {
        let width = word.len();
        let mut result = word.to_vec();
        let mut lost = Vec::new();
        let mut over = Vec::new();
        for (k, &bit) in amount.iter().enumerate() {
            if k >= 31 || 1usize << k >= width {
                over.push(bit);
                continue;
            }
            let step = 1usize << k;
            let below = self.or_all(&result[..step]);
            lost.push(self.and(bit, below));
            result = (0..width)
                .map(|i| {
                    let from = if i + step < width { result[i + step] } else { Lit::FALSE };
                    self.mux(bit, from, result[i])
                })
                .collect();
        }
        let over = self.or_all(&over);
        let any = self.or_all(&result);
        lost.push(self.and(over, any));
        let mut result = self.mask_word(&result, !over);
        let lost = self.or_all(&lost);
        result[0] = self.or(result[0], lost);
        result
    }

    /// Whether to round a magnitude up, from its lowest kept bit, the next bit, and whether anything is below.
    fn rounds_up(&mut self, round: Round, sign: Lit, lowest: Lit, guard: Lit, sticky: Lit) -> Lit {
        match round {
            Round::NearestEven => {
                let tie_breaker = self.or(sticky, lowest);
                self.and(guard, tie_breaker)
            }
            Round::NearestAway => guard,
            Round::TowardPositive => {
                let inexact = self.or(guard, sticky);
                self.and(inexact, !sign)
            }
            Round::TowardNegative => {
                let inexact = self.or(guard, sticky);
                self.and(inexact, sign)
            }
            Round::TowardZero => Lit::FALSE,
        }
    }

    /// Rounds `significand * 2^(exponent - (len - 1))`, whose highest bit is set and whose lowest bit may be sticky, to
    /// a bit pattern. The exponent is signed and of any width that holds it.
    fn round(&mut self, format: FloatFormat, round: Round, sign: Lit, exponent: &[Lit], significand: &[Lit]) -> Word {
        let precision = format.precision() as usize;
        // At least a guard bit and a sticky bit below the precision.
        let mut wide = zeros((precision + 2).saturating_sub(significand.len()));
        wide.extend_from_slice(significand);
        let width = exponent.len().max(format.exponent_bits() as usize) + 2;
        let exponent = sign_extend(exponent, width);
        let smallest = signed_constant(width, 1 - format.bias() as i64);
        let tiny = self.less_signed(&exponent, &smallest);
        let distance = self.sub(&smallest, &exponent);
        let distance = self.mask_word(&distance, tiny);
        let wide = self.shift_right_sticky(&wide, &distance);
        let cut = wide.len() - precision;
        let (guard, sticky) = (wide[cut - 1], self.or_all(&wide[..cut - 1]));
        let kept = &wide[cut..];
        let up = self.rounds_up(round, sign, kept[0], guard, sticky);
        let (rounded, carry) = self.increment(kept, up);
        // With a carry all kept bits are zero, which is right for the fraction; the exponent grows by one.
        let bias = signed_constant(width, format.bias() as i64);
        let normal = self.add(&exponent, &bias);
        // A subnormal's exponent field is zero, or one if rounding made it normal.
        let leading = self.or(rounded[precision - 1], carry);
        let subnormal = zero_extend(&[leading], width);
        let (normal, _) = self.increment(&normal, carry);
        let biased = self.mux_word(tiny, &subnormal, &normal);
        let top = signed_constant(width, (1i64 << format.exponent_bits()) - 1);
        let too_small = self.less_signed(&biased, &top);
        let overflow = !too_small;
        let to_infinity = match round {
            Round::NearestEven | Round::NearestAway => Lit::TRUE,
            Round::TowardPositive => !sign,
            Round::TowardNegative => sign,
            Round::TowardZero => Lit::FALSE,
        };
        let mut result = rounded[..precision - 1].to_vec();
        if format == FloatFormat::Extended {
            result.push(leading);
        }
        result.extend_from_slice(&biased[..format.exponent_bits() as usize]);
        let infinity = self.infinity_bits(format);
        let largest = self.largest_bits(format);
        let limit = self.mux_word(to_infinity, &infinity, &largest);
        let mut result = self.mux_word(overflow, &limit, &result);
        result.push(sign);
        result
    }

    /// Without the sign bit.
    fn infinity_bits(&mut self, format: FloatFormat) -> Word {
        let mut word = zeros(format.precision() as usize - 1);
        if format == FloatFormat::Extended {
            word.push(Lit::TRUE);
        }
        word.resize(format.width() as usize - 1, Lit::TRUE);
        word
    }
    fn largest_bits(&mut self, format: FloatFormat) -> Word {
        let mut word = vec![Lit::TRUE; format.width() as usize - 1];
        let exponent = format.width() as usize - 1 - format.exponent_bits() as usize;
        word[exponent] = Lit::FALSE;
        word
    }
    fn signed_infinity(&mut self, format: FloatFormat, sign: Lit) -> Word {
        let mut word = self.infinity_bits(format);
        word.push(sign);
        word
    }
    fn signed_zero(&mut self, format: FloatFormat, sign: Lit) -> Word {
        let mut word = zeros(format.width() as usize - 1);
        word.push(sign);
        word
    }
    fn with_nan(&mut self, format: FloatFormat, nan: Lit, otherwise: &[Lit]) -> Word {
        self.mux_word(nan, &nan_word(format), otherwise)
    }

    /// `a + b`, or `a - b` with the second's sign flipped by the caller's `subtract`.
    pub(crate) fn float_add(&mut self, format: FloatFormat, round: Round, a: &[Lit], b: &[Lit], subtract: bool) -> Word {
        let (x, mut y) = (self.unpack(format, a), self.unpack(format, b));
        y.sign = y.sign.flip(subtract);
        let precision = format.precision() as usize;
        // The larger magnitude first; zero has the lowest exponent, so it comes last.
        let mut key_x = x.significand.clone();
        key_x.extend_from_slice(&x.exponent);
        let mut key_y = y.significand.clone();
        key_y.extend_from_slice(&y.exponent);
        let swap = self.less_signed(&key_x, &key_y);
        let sign_large = self.mux(swap, y.sign, x.sign);
        let exponent_large = self.mux_word(swap, &y.exponent, &x.exponent);
        let exponent_small = self.mux_word(swap, &x.exponent, &y.exponent);
        let large = self.mux_word(swap, &y.significand, &x.significand);
        let small = self.mux_word(swap, &x.significand, &y.significand);
        let distance = self.sub(&exponent_large, &exponent_small);
        let widen = |word: &[Lit]| {
            let mut wide = zeros(3);
            wide.extend_from_slice(word);
            wide.push(Lit::FALSE);
            wide
        };
        let (large, small) = (widen(&large), widen(&small));
        let small = self.shift_right_sticky(&small, &distance);
        let opposite = self.xor(x.sign, y.sign);
        let flipped: Word = small.iter().map(|&l| self.xor(l, opposite)).collect();
        let (sum, _) = self.add_carry(&large, &flipped, opposite);
        let cancelled = self.is_zero(&sum);
        let (normal, shift) = self.normalise(&sum);
        // The sum has one bit above the significand's highest, hence the exponent is one more before the shift.
        let width = exponent_width(format) + 1;
        let exponent = sign_extend(&exponent_large, width);
        let (exponent, _) = self.increment(&exponent, Lit::TRUE);
        let shift = zero_extend(&shift, width);
        let exponent = self.sub(&exponent, &shift);
        debug_assert_eq!(normal.len(), precision + 4);
        let finite = self.round(format, round, sign_large, &exponent, &normal);
        // An exact zero: of equal signs that sign, else positive but when rounding down.
        let zero_sign = {
            let both = self.and(x.sign, y.sign);
            let either = self.or(x.sign, y.sign);
            if round == Round::TowardNegative { either } else { both }
        };
        let zero = self.signed_zero(format, zero_sign);
        let result = self.mux_word(cancelled, &zero, &finite);
        let infinite = self.or(x.infinite, y.infinite);
        let infinite_sign = self.mux(x.infinite, x.sign, y.sign);
        let infinity = self.signed_infinity(format, infinite_sign);
        let result = self.mux_word(infinite, &infinity, &result);
        let clash = self.and_all(&[x.infinite, y.infinite, opposite]);
        let nan = self.or_all(&[x.nan, y.nan, clash]);
        self.with_nan(format, nan, &result)
    }

    pub(crate) fn float_multiply(&mut self, format: FloatFormat, round: Round, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.unpack(format, a), self.unpack(format, b));
        let precision = format.precision() as usize;
        let sign = self.xor(x.sign, y.sign);
        let product = self.multiply(&x.significand, &y.significand, 2 * precision);
        let high = product[2 * precision - 1];
        let mut shifted = vec![Lit::FALSE];
        shifted.extend_from_slice(&product[..2 * precision - 1]);
        let normal = self.mux_word(high, &product, &shifted);
        let width = exponent_width(format) + 2;
        let (ex, ey) = (sign_extend(&x.exponent, width), sign_extend(&y.exponent, width));
        let (exponent, _) = self.add_carry(&ex, &ey, high);
        let finite = self.round(format, round, sign, &exponent, &normal);
        let zero = self.or(x.zero, y.zero);
        let zero_word = self.signed_zero(format, sign);
        let result = self.mux_word(zero, &zero_word, &finite);
        let infinite = self.or(x.infinite, y.infinite);
        let infinity = self.signed_infinity(format, sign);
        let result = self.mux_word(infinite, &infinity, &result);
        let undefined = self.and(infinite, zero);
        let nan = self.or_all(&[x.nan, y.nan, undefined]);
        self.with_nan(format, nan, &result)
    }

    pub(crate) fn float_divide(&mut self, format: FloatFormat, round: Round, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.unpack(format, a), self.unpack(format, b));
        let precision = format.precision() as usize;
        let sign = self.xor(x.sign, y.sign);
        // One digit before the point, and two more than the precision needs after normalisation.
        let divisor = zero_extend(&y.significand, precision + 1);
        let mut rest = zero_extend(&x.significand, precision + 1);
        let mut quotient = Vec::new();
        for _ in 0..precision + 3 {
            let (difference, bit) = self.sub_borrow(&rest, &divisor);
            quotient.push(bit);
            let kept = self.mux_word(bit, &difference, &rest);
            rest = vec![Lit::FALSE];
            rest.extend_from_slice(&kept[..precision]);
        }
        quotient.reverse();
        let inexact = self.or_all(&rest);
        let mut exact = vec![inexact];
        exact.append(&mut quotient);
        let high = exact[exact.len() - 1];
        let mut shifted = vec![Lit::FALSE];
        shifted.extend_from_slice(&exact[..exact.len() - 1]);
        let normal = self.mux_word(high, &exact, &shifted);
        let width = exponent_width(format) + 2;
        let (ex, ey) = (sign_extend(&x.exponent, width), sign_extend(&y.exponent, width));
        let negated = self.not_word(&ey);
        // ex - ey, and one less if the first digit is zero.
        let (exponent, _) = self.add_carry(&ex, &negated, high);
        let finite = self.round(format, round, sign, &exponent, &normal);
        let zero_word = self.signed_zero(format, sign);
        let to_zero = self.or(x.zero, y.infinite);
        let result = self.mux_word(to_zero, &zero_word, &finite);
        let infinity = self.signed_infinity(format, sign);
        let to_infinity = self.or(x.infinite, y.zero);
        let result = self.mux_word(to_infinity, &infinity, &result);
        let zeros = self.and(x.zero, y.zero);
        let infinities = self.and(x.infinite, y.infinite);
        let nan = self.or_all(&[x.nan, y.nan, zeros, infinities]);
        self.with_nan(format, nan, &result)
    }

    pub(crate) fn float_square_root(&mut self, format: FloatFormat, round: Round, a: &[Lit]) -> Word {
        let x = self.unpack(format, a);
        let precision = format.precision() as usize;
        // For an odd exponent the significand is doubled; its value is then in [1, 4).
        let odd = x.exponent[0];
        let doubled = {
            let mut word = vec![Lit::FALSE];
            word.extend_from_slice(&x.significand);
            word
        };
        let single = zero_extend(&x.significand, precision + 1);
        let mut radicand = self.mux_word(odd, &doubled, &single);
        // The point lies after the two highest bits; an even number of fraction bits follows.
        if radicand.len() % 2 == 1 {
            radicand.insert(0, Lit::FALSE);
        }
        let digits = precision + 2;
        let mut root: Word = Vec::new();
        let mut rest: Word = Vec::new();
        for step in 0..digits {
            let top = radicand.len() as isize - 1 - 2 * step as isize;
            let (high, low) = if top >= 1 { (radicand[top as usize], radicand[top as usize - 1]) } else { (Lit::FALSE, Lit::FALSE) };
            let mut shifted = vec![low, high];
            shifted.append(&mut rest);
            let mut trial = vec![Lit::TRUE, Lit::FALSE];
            trial.extend_from_slice(&root);
            let width = shifted.len().max(trial.len());
            let (shifted, trial) = (zero_extend(&shifted, width), zero_extend(&trial, width));
            let (difference, bit) = self.sub_borrow(&shifted, &trial);
            rest = self.mux_word(bit, &difference, &shifted);
            root.insert(0, bit);
            // The remainder is at most twice the root.
            rest.truncate(root.len() + 1);
        }
        let inexact = self.or_all(&rest);
        let mut exact = vec![inexact];
        exact.append(&mut root);
        let mut exponent = x.exponent[1..].to_vec();
        exponent.push(x.exponent[x.exponent.len() - 1]);
        let finite = self.round(format, round, Lit::FALSE, &exponent, &exact);
        let infinity = self.signed_infinity(format, Lit::FALSE);
        let result = self.mux_word(x.infinite, &infinity, &finite);
        let negative = self.and(x.sign, !x.zero);
        let nan = self.or(x.nan, negative);
        let result = self.with_nan(format, nan, &result);
        let zero = self.signed_zero(format, x.sign);
        self.mux_word(x.zero, &zero, &result)
    }

    pub(crate) fn float_round_to_integral(&mut self, format: FloatFormat, round: Round, a: &[Lit]) -> Word {
        let x = self.unpack(format, a);
        let precision = format.precision() as usize;
        let width = exponent_width(format);
        // Bits after the point: precision - 1 - exponent, if positive.
        let last = signed_constant(width, precision as i64 - 1);
        let fractional = self.less_signed(&x.exponent, &last);
        let distance = self.sub(&last, &x.exponent);
        let distance = self.mask_word(&distance, fractional);
        let mut wide = zeros(2);
        wide.extend_from_slice(&x.significand);
        let shifted = self.shift_right_sticky(&wide, &distance);
        let kept = &shifted[2..];
        let up = self.rounds_up(round, x.sign, kept[0], shifted[1], shifted[0]);
        let (mut integer, carry) = self.increment(kept, up);
        integer.push(carry);
        let is_zero = self.is_zero(&integer);
        let (normal, shift) = self.normalise(&integer);
        let top = signed_constant(width, precision as i64);
        let shift = zero_extend(&shift, width);
        let exponent = self.sub(&top, &shift);
        let rounded = self.round(format, Round::TowardZero, x.sign, &exponent, &normal);
        let zero = self.signed_zero(format, x.sign);
        let rounded = self.mux_word(is_zero, &zero, &rounded);
        let large = self.or(x.infinite, !fractional);
        let result = self.mux_word(large, a, &rounded);
        let result = self.mux_word(x.zero, &zero, &result);
        self.with_nan(format, x.nan, &result)
    }

    pub(crate) fn float_convert(&mut self, from: FloatFormat, to: FloatFormat, round: Round, a: &[Lit]) -> Word {
        let x = self.unpack(from, a);
        let finite = self.round(to, round, x.sign, &x.exponent, &x.significand);
        let zero = self.signed_zero(to, x.sign);
        let result = self.mux_word(x.zero, &zero, &finite);
        let infinity = self.signed_infinity(to, x.sign);
        let result = self.mux_word(x.infinite, &infinity, &result);
        self.with_nan(to, x.nan, &result)
    }

    pub(crate) fn float_from_integer(&mut self, format: FloatFormat, round: Round, a: &[Lit], signed: bool) -> Word {
        let sign = if signed { a[a.len() - 1] } else { Lit::FALSE };
        let magnitude = if signed { self.absolute(a) } else { a.to_vec() };
        let is_zero = self.is_zero(&magnitude);
        let (normal, shift) = self.normalise(&magnitude);
        let width = shift.len().max(log2_ceil(a.len() + 1)) + 2;
        let top = signed_constant(width, a.len() as i64 - 1);
        let shift = zero_extend(&shift, width);
        let exponent = self.sub(&top, &shift);
        let finite = self.round(format, round, sign, &exponent, &normal);
        let zero = self.signed_zero(format, Lit::FALSE);
        self.mux_word(is_zero, &zero, &finite)
    }

    /// To an integer; what does not fit gives the smallest signed value or all ones.
    pub(crate) fn float_to_integer(&mut self, format: FloatFormat, round: Round, a: &[Lit], width: u32, signed: bool) -> Word {
        let x = self.unpack(format, a);
        let precision = format.precision() as usize;
        let bits = width as usize;
        let exponent_bits = exponent_width(format).max(log2_ceil(bits + 2) + 2);
        let exponent = sign_extend(&x.exponent, exponent_bits);
        // Below one half only stickiness is left; from 2^width on nothing fits.
        let minus_one = signed_constant(exponent_bits, -1);
        let tiny = self.less_signed(&exponent, &minus_one);
        let limit = signed_constant(exponent_bits, bits as i64);
        let fits = self.less_signed(&exponent, &limit);
        let (amount, _) = self.increment(&exponent, Lit::TRUE);
        let usable = self.and(fits, !tiny);
        let amount = self.mask_word(&amount, usable);
        // The point lies above the significand's bits; the amount is at most the width.
        let wide = zero_extend(&x.significand, precision + bits + 1);
        let amount = &amount[..log2_ceil(bits + 1).min(amount.len())];
        let shifted = self.shift_left(&wide, amount);
        let guard = self.and(shifted[precision - 1], !tiny);
        let below = self.or_all(&shifted[..precision - 1]);
        let sticky = self.mux(tiny, !x.zero, below);
        let kept = self.mask_word(&shifted[precision..], !tiny);
        let up = self.rounds_up(round, x.sign, kept[0], guard, sticky);
        let (magnitude, _) = self.increment(&kept, up);
        debug_assert_eq!(magnitude.len(), bits + 1);
        let nonzero = self.or_all(&magnitude);
        let too_large = if signed {
            // At least 2^(width-1) for positive values; more than that for negative ones.
            let top = self.or(magnitude[bits], magnitude[bits - 1]);
            let low = self.or_all(&magnitude[..bits - 1]);
            let beyond = self.and(magnitude[bits - 1], low);
            let beyond = self.or(magnitude[bits], beyond);
            self.mux(x.sign, beyond, top)
        } else {
            let negative = self.and(x.sign, nonzero);
            self.or(negative, magnitude[bits])
        };
        let big = self.and(!fits, !x.zero);
        let invalid = self.or_all(&[x.nan, x.infinite, big, too_large]);
        let value = if signed { self.negate_if(x.sign, &magnitude[..bits]) } else { magnitude[..bits].to_vec() };
        let invalid_value = if signed {
            let mut word = zeros(bits - 1);
            word.push(Lit::TRUE);
            word
        } else {
            vec![Lit::TRUE; bits]
        };
        self.mux_word(invalid, &invalid_value, &value)
    }

    /// The magnitude as a word that orders as the numbers do.
    fn magnitude_key(&mut self, format: FloatFormat, bits: &[Lit], classes: &Classes) -> Word {
        let mut key = bits[..bits.len() - 1].to_vec();
        if format == FloatFormat::Extended {
            // A pseudo-denormal equals the number with exponent one.
            let start = format.precision() as usize;
            let pseudo = self.and(classes.exponent_zero, classes.leading);
            key[start] = self.or(key[start], pseudo);
        }
        key
    }

    pub(crate) fn float_equal(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Lit {
        let (fa, fb) = (fields(format, a), fields(format, b));
        let (ca, cb) = (self.classify(&fa), self.classify(&fb));
        let (ka, kb) = (self.magnitude_key(format, a, &ca), self.magnitude_key(format, b, &cb));
        let same_magnitude = self.equal_words(&ka, &kb);
        let same_sign = self.equal(fa.sign, fb.sign);
        let same = self.and(same_magnitude, same_sign);
        let zeros = self.and(ca.zero, cb.zero);
        let equal = self.or(same, zeros);
        self.and_all(&[equal, !ca.nan, !cb.nan])
    }

    /// `a < b`, or `a <= b`.
    pub(crate) fn float_less(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
        let (fa, fb) = (fields(format, a), fields(format, b));
        let (ca, cb) = (self.classify(&fa), self.classify(&fb));
        let (ka, kb) = (self.magnitude_key(format, a, &ca), self.magnitude_key(format, b, &cb));
        let zeros = self.and(ca.zero, cb.zero);
        let below = self.less(&ka, &kb);
        let above = self.less(&kb, &ka);
        let (positive, negative) = if or_equal { (!above, !below) } else { (below, above) };
        let same_sign = self.mux(fa.sign, negative, positive);
        let opposite = self.xor(fa.sign, fb.sign);
        let ordered = self.mux(opposite, fa.sign, same_sign);
        let result = self.mux(zeros, Lit::of_bool(or_equal), ordered);
        self.and_all(&[result, !ca.nan, !cb.nan])
    }

    /// C's `fmod`, by long division of the significands. `None` for formats whose exponents differ by too much.
    pub(crate) fn float_remainder(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Option<Word> {
        if matches!(format, FloatFormat::Extended | FloatFormat::Quad) {
            return None;
        }
        let (x, y) = (self.unpack(format, a), self.unpack(format, b));
        let precision = format.precision() as usize;
        let width = exponent_width(format) + 1;
        let (ex, ey) = (sign_extend(&x.exponent, width), sign_extend(&y.exponent, width));
        let distance = self.sub(&ex, &ey);
        let smaller = distance[width - 1];
        let divisor = zero_extend(&y.significand, precision + 1);
        let mut rest = zero_extend(&x.significand, precision + 1);
        // Exponents lie between the smallest subnormal's and the largest normal's.
        let steps = 2 * format.bias() as usize + precision;
        let mut left = distance;
        for _ in 0..steps {
            // While digits are left: reduce, then bring down a zero.
            let done = self.is_zero(&left);
            let (difference, bit) = self.sub_borrow(&rest, &divisor);
            let reduced = self.mux_word(bit, &difference, &rest);
            let mut next = vec![Lit::FALSE];
            next.extend_from_slice(&reduced[..precision]);
            rest = self.mux_word(done, &rest, &next);
            let minus_one = vec![Lit::TRUE; width];
            let fewer = self.add(&left, &minus_one);
            left = self.mux_word(done, &left, &fewer);
        }
        let (difference, bit) = self.sub_borrow(&rest, &divisor);
        let rest = self.mux_word(bit, &difference, &rest);
        let rest = &rest[..precision];
        let is_zero = self.is_zero(rest);
        let (normal, shift) = self.normalise(rest);
        let shift = zero_extend(&shift, width);
        let exponent = self.sub(&ey, &shift);
        let finite = self.round(format, Round::TowardZero, x.sign, &exponent, &normal);
        let zero = self.signed_zero(format, x.sign);
        let result = self.mux_word(is_zero, &zero, &finite);
        // A smaller dividend, or an infinite divisor, leaves the dividend as it is.
        let unchanged = self.or_all(&[smaller, y.infinite, x.zero]);
        let result = self.mux_word(unchanged, a, &result);
        let nan = self.or_all(&[x.nan, y.nan, x.infinite, y.zero]);
        Some(self.with_nan(format, nan, &result))
    }
}
