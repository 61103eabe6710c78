//! Arithmetic on complex numbers as gcc and its run-time library compute it. A real operand stays real, as C has it; a
//! product whose halves are both NaN and a quotient are corrected as annex G of the standard asks.

use super::Class;
use super::body::Body;
use super::parts::Half;
use assay_term::{Op, Round, Term};
use rucc_ast::BinaryOp;

type Pair = (Term, Term);

impl Body<'_, '_> {
    pub(super) fn complex_arithmetic(&mut self, op: BinaryOp, class: Class, a: Half, b: Half) -> Pair {
        let (a, b) = (self.kept_half(a), self.kept_half(b));
        let width = self.terms().width(a.real());
        let zero = self.terms().number(width, 0);
        let is_float = matches!(class, Class::Float { .. });
        let mut compute = |op, x, y| self.arithmetic(op, class, x, y, class);
        match (op, a, b) {
            (BinaryOp::Add | BinaryOp::Sub, Half::Both(r, i), Half::Both(s, j)) => (compute(op, r, s), compute(op, i, j)),
            (BinaryOp::Add | BinaryOp::Sub, Half::Both(r, i), Half::Real(s)) => (compute(op, r, s), i),
            (BinaryOp::Add, Half::Real(r), Half::Both(s, j)) => (compute(op, r, s), j),
            (BinaryOp::Sub, Half::Real(r), Half::Both(s, j)) => (compute(op, r, s), self.negate(j, class)),
            (BinaryOp::Mul, Half::Both(r, i), Half::Real(s)) => (compute(op, r, s), compute(op, i, s)),
            (BinaryOp::Mul, Half::Real(r), Half::Both(s, j)) => (compute(op, r, s), compute(op, r, j)),
            (BinaryOp::Div, Half::Both(r, i), Half::Real(s)) if is_float => (compute(op, r, s), compute(op, i, s)),
            (BinaryOp::Mul, Half::Both(r, i), Half::Both(s, j)) => self.product((r, i), (s, j), class),
            (BinaryOp::Div, a, Half::Both(s, j)) if is_float => {
                let i = if let Half::Both(_, i) = a { i } else { zero };
                self.quotient((a.real(), i), (s, j), class)
            }
            (_, Half::Real(..), Half::Real(..)) => (compute(op, a.real(), b.real()), zero),
            _ => {
                self.unsupported("a division of complex integers");
                (zero, zero)
            }
        }
    }

    fn kept_half(&mut self, half: Half) -> Half {
        match half {
            Half::Real(real) => Half::Real(self.snapshot(real)),
            Half::Both(real, imaginary) => Half::Both(self.snapshot(real), self.snapshot(imaginary)),
        }
    }

    fn product(&mut self, (a, b): Pair, (c, d): Pair, class: Class) -> Pair {
        let mut times = |x, y| {
            let product = self.arithmetic(BinaryOp::Mul, class, x, y, class);
            self.snapshot(product)
        };
        let (ac, bd, ad, bc) = (times(a, c), times(b, d), times(a, d), times(b, c));
        let real = self.arithmetic(BinaryOp::Sub, class, ac, bd, class);
        let imaginary = self.arithmetic(BinaryOp::Add, class, ad, bc, class);
        if !matches!(class, Class::Float { .. }) {
            return (real, imaginary);
        }
        let (real, imaginary) = (self.snapshot(real), self.snapshot(imaginary));
        let lost = self.terms().and(self.is_nan(real), self.is_nan(imaginary));
        let (first, second) = (self.is_infinite_pair(a, b), self.is_infinite_pair(c, d));
        let overflown = self.terms().or(self.is_infinite_pair(ac, bd), self.is_infinite_pair(ad, bc));
        let terms = self.terms();
        let infinite = terms.or(terms.or(first, second), overflown);
        // An infinite operand is put on the unit square; NaNs of the other, or of both after an overflow, become zeros.
        let without_nan = |value: Term, wanted: Term| terms.ite(terms.and(wanted, self.is_nan(value)), self.signed(value, false), value);
        let boxed = |value: Term, wanted: Term| terms.ite(wanted, self.unit_or_zero(value), value);
        let neither = terms.not(terms.or(first, second));
        let (clear_left, clear_right) = (terms.or(second, neither), terms.or(first, neither));
        let (p, q) = (without_nan(boxed(a, first), clear_left), without_nan(boxed(b, first), clear_left));
        let (r, s) = (without_nan(boxed(c, second), clear_right), without_nan(boxed(d, second), clear_right));
        let x = self.plain(Op::FSub, self.plain(Op::FMul, p, r), self.plain(Op::FMul, q, s));
        let y = self.plain(Op::FAdd, self.plain(Op::FMul, p, s), self.plain(Op::FMul, q, r));
        let (x, y) = (self.times_infinity(x), self.times_infinity(y));
        let mended = self.terms().and(lost, infinite);
        (self.terms().ite(mended, x, real), self.terms().ite(mended, y, imaginary))
    }

    fn quotient(&mut self, a: Pair, b: Pair, class: Class) -> Pair {
        self.only_to_nearest();
        let Class::Float { width } = class else { return a };
        let (quotient, a, b) = match width {
            // In the next wider format the textbook's formula is precise enough.
            16 | 32 => (self.quotient_by_formula(a, b, width * 2), a, b),
            _ => self.quotient_by_scaling(a, b, width),
        };
        let quotient = (self.snapshot(quotient.0), self.snapshot(quotient.1));
        let (x, y) = self.mended_quotient(a, b, quotient);
        (self.any_nan(x), self.any_nan(y))
    }

    fn quotient_by_formula(&mut self, (a, b): Pair, (c, d): Pair, wide: u32) -> Pair {
        let narrow = self.terms().width(a);
        let widen = |value| self.terms().float_convert(Op::FConvert, Round::NearestEven, value, wide);
        let (a, b, c, d) = (widen(a), widen(b), widen(c), widen(d));
        let times = |x, y| self.plain(Op::FMul, x, y);
        let below = self.plain(Op::FAdd, times(c, c), times(d, d));
        let x = self.plain(Op::FDiv, self.plain(Op::FAdd, times(a, c), times(b, d)), below);
        let y = self.plain(Op::FDiv, self.plain(Op::FSub, times(b, c), times(a, d)), below);
        let cut = |value| self.terms().float_convert(Op::FConvert, Round::NearestEven, value, narrow);
        (cut(x), cut(y))
    }

    /// Smith's method with the scaling of Baudin and Smith, by the larger half of the divisor; and the operands as they
    /// are after the scaling.
    fn quotient_by_scaling(&mut self, (a, b): Pair, (c, d): Pair, width: u32) -> (Pair, Pair, Pair) {
        let Some(limits) = Limits::of(width) else { return ((a, b), (a, b), (c, d)) };
        let number = |bits: u128| self.terms().number(width, bits);
        let (big, tiny, near, far, scale) =
            (number(limits.big), number(limits.least), number(limits.near), number(limits.far), number(limits.scale));
        let half = number(limits.half);
        let terms = self.terms();
        let less = |x: Term, y: Term| terms.compare(Op::FLess, self.magnitude(x), y);
        let swapped = terms.compare(Op::FLess, self.magnitude(c), self.magnitude(d));
        // From here on `c` is the larger half; then so are the halves of the dividend exchanged.
        let (a, b, c, d) = (terms.ite(swapped, b, a), terms.ite(swapped, a, b), terms.ite(swapped, d, c), terms.ite(swapped, c, d));
        let all = |factor: Term, wanted: Term, values: [Term; 4]| values.map(|v| terms.ite(wanted, self.plain(Op::FMul, v, factor), v));
        let huge = terms.compare(Op::FLessEq, big, self.magnitude(c));
        let [a, b, c, d] = all(half, huge, [a, b, c, d]);
        let small = terms.and(less(a, tiny), terms.and(less(b, far), less(c, far)));
        let other = terms.and(less(b, tiny), terms.and(less(a, far), less(c, far)));
        let up = terms.or(less(c, near), terms.or(small, other));
        let kept = all(scale, up, [a, b, c, d]);
        let [a, b, c, d] = kept.map(|value| self.snapshot(value));
        let ratio = self.plain(Op::FDiv, d, c);
        let ratio = self.snapshot(ratio);
        let below = self.plain(Op::FAdd, self.plain(Op::FMul, d, ratio), c);
        let below = self.snapshot(below);
        let terms = self.terms();
        let normal = terms.compare(Op::FLess, tiny, self.magnitude(ratio));
        let part = |value: Term| {
            let other = self.plain(Op::FMul, d, self.plain(Op::FDiv, value, c));
            terms.ite(normal, self.plain(Op::FMul, value, ratio), other)
        };
        let x = self.plain(Op::FDiv, self.plain(Op::FAdd, part(b), a), below);
        let difference = terms.ite(swapped, self.plain(Op::FSub, part(a), b), self.plain(Op::FSub, b, part(a)));
        let either = |yes: Term, no: Term| terms.ite(swapped, yes, no);
        ((x, self.plain(Op::FDiv, difference, below)), (either(b, a), either(a, b)), (either(d, c), either(c, d)))
    }

    /// Infinities and zeros for a quotient of which both halves are NaN.
    fn mended_quotient(&mut self, (a, b): Pair, (c, d): Pair, (x, y): Pair) -> Pair {
        let width = self.terms().width(x);
        let terms = self.terms();
        let zero = terms.number(width, 0);
        let is_zero = |value: Term| terms.eq(self.magnitude(value), zero);
        let finite = |p: Term, q: Term| terms.and(self.is_finite(p), self.is_finite(q));
        let lost = terms.and(self.is_nan(x), self.is_nan(y));
        let by_zero = terms.and(terms.and(is_zero(c), is_zero(d)), terms.not(terms.and(self.is_nan(a), self.is_nan(b))));
        let endless = terms.and(self.is_infinite_pair(a, b), finite(c, d));
        let vanishing = terms.and(self.is_infinite_pair(c, d), finite(a, b));
        let sign = self.with_sign(self.infinity(width), c);
        let times = |p, q| self.plain(Op::FMul, p, q);
        let sums = |a: Term, b: Term, c: Term, d: Term| {
            (self.plain(Op::FAdd, times(a, c), times(b, d)), self.plain(Op::FSub, times(b, c), times(a, d)))
        };
        let (p, q) = sums(self.unit_or_zero(a), self.unit_or_zero(b), c, d);
        let (r, s) = sums(a, b, self.unit_or_zero(c), self.unit_or_zero(d));
        let choose = |value: Term, zero_case: Term, endless_case: Term, vanishing_case: Term| {
            let rest = terms.ite(terms.and(lost, vanishing), times(zero, vanishing_case), value);
            let rest = terms.ite(terms.and(lost, endless), self.times_infinity(endless_case), rest);
            terms.ite(terms.and(lost, by_zero), times(sign, zero_case), rest)
        };
        (choose(x, a, p, r), choose(y, b, q, s))
    }

    /// An operation to nearest; what NaN it gives is settled at the end.
    fn plain(&self, op: Op, a: Term, b: Term) -> Term {
        self.terms().float_binary(op, Round::NearestEven, a, b)
    }

    fn is_infinite_pair(&self, a: Term, b: Term) -> Term {
        let infinity = self.infinity(self.terms().width(a));
        let is = |value| self.terms().eq(self.magnitude(value), infinity);
        self.terms().or(is(a), is(b))
    }

    fn times_infinity(&self, value: Term) -> Term {
        let infinity = self.infinity(self.terms().width(value));
        self.plain(Op::FMul, infinity, value)
    }

    fn with_sign(&self, magnitude: Term, of: Term) -> Term {
        let width = self.terms().width(of);
        self.terms().or(magnitude, self.terms().and(of, self.sign_bit(width)))
    }

    /// One with the sign of the value, or zero.
    fn signed(&self, value: Term, one: bool) -> Term {
        let width = self.terms().width(value);
        let magnitude = if one {
            self.terms().float_convert(Op::FFromUnsigned, Round::NearestEven, self.terms().number(8, 1), width)
        } else {
            self.terms().number(width, 0)
        };
        self.with_sign(magnitude, value)
    }

    /// One for an infinity and zero for anything else, with its sign.
    fn unit_or_zero(&self, value: Term) -> Term {
        let infinite = self.is_infinite_pair(value, value);
        self.terms().ite(infinite, self.signed(value, true), self.signed(value, false))
    }
}

/// Numbers of a format that decide how a quotient is scaled, as bits.
struct Limits {
    /// Half of the largest number.
    big: u128,
    /// The smallest normal number.
    least: u128,
    /// The distance from one to the next number.
    near: u128,
    /// Half of the largest number times that distance.
    far: u128,
    /// What the operands are multiplied with.
    scale: u128,
    half: u128,
}

impl Limits {
    fn of(width: u32) -> Option<Limits> {
        // The number of exponent bits, and of the bits below; the format of 80 bits stores the leading one.
        let (fraction, bias, leading): (u32, u128, u128) = match width {
            64 => (52, 1023, 0),
            80 => (64, 16383, 1 << 63),
            128 => (112, 16383, 0),
            _ => return None,
        };
        let precision = if leading == 0 { u128::from(fraction) } else { 63 };
        let ones = if leading == 0 { (1 << fraction) - 1 } else { u128::from(u64::MAX) };
        let power = |exponent: u128| (exponent << fraction) | leading;
        Some(Limits {
            big: ((2 * bias - 1) << fraction) | ones,
            least: power(1),
            near: power(bias - precision),
            far: ((2 * bias - 1 - precision) << fraction) | ones,
            scale: power(bias + precision),
            half: power(bias - 1),
        })
    }
}
