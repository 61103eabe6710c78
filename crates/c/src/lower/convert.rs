//! Conversions and operators on values: C's arithmetic as terms, with checks where its behaviour is undefined.

use super::Class;
use super::body::Body;
use assay_cfa::{CType, CheckKind, Operation, Origin, Sign, ValueSourceKind};
use assay_term::{FloatFormat, Op, Round, Term};
use rucc_ast::BinaryOp;

impl Body<'_, '_> {
    /// A value as truth: width 1.
    pub(super) fn truth(&self, value: Term, class: Class) -> Term {
        let terms = self.terms();
        match class {
            Class::Float { width } => {
                let zero = terms.number(width, 0);
                terms.not(terms.compare(Op::FEq, value, zero))
            }
            _ => terms.is_nonzero(value),
        }
    }

    /// A truth value as 0 or 1 of an integer type.
    pub(super) fn number_of(&self, truth: Term, width: u32) -> Term {
        self.terms().zero_extend(truth, width)
    }

    /// Converts between scalar types.
    pub(super) fn convert(&mut self, value: Term, from: Class, to: Class) -> Term {
        let pointer_width = self.pointer_width();
        let Some(width) = to.width(pointer_width) else { return value };
        match (from, to) {
            (_, Class::Bool) if from == Class::Bool => value,
            (_, Class::Bool) => {
                let truth = self.truth(value, from);
                self.number_of(truth, 8)
            }
            (Class::Float { width: source }, Class::Float { .. }) if source == width => value,
            (Class::Float { width: source }, Class::Float { .. }) => {
                let converted = match source < width {
                    // Every value of a narrower type is one of the wider type.
                    true => self.terms().float_convert(Op::FConvert, Round::NearestEven, value, width),
                    false => {
                        let converted = self.rounded(&[value], |terms, mode| terms.float_convert(Op::FConvert, mode, value, width));
                        self.watch_float(&[value], converted);
                        converted
                    }
                };
                // The sign of a NaN stays, in compilers and machines.
                let sign = self.terms().extract(value, source - 1, source - 1);
                self.any_nan_of(converted, Some(sign))
            }
            (Class::Float { width: source }, Class::Int { signed, .. }) => self.float_to_integer(value, source, width, signed),
            (Class::Float { width: source }, Class::Pointer) => self.float_to_integer(value, source, width, false),
            (_, Class::Float { .. }) => {
                let op = if from.is_signed() { Op::FFromSigned } else { Op::FFromUnsigned };
                self.rounded(&[value], |terms, mode| terms.float_convert(op, mode, value, width))
            }
            _ => self.terms().resize(value, width, from.is_signed()),
        }
    }

    fn float_to_integer(&mut self, value: Term, float: u32, width: u32, signed: bool) -> Term {
        let terms = self.terms();
        let inside = if width > 126 {
            // The bounds are powers of two, and no float lies strictly between such a bound and the integer next to it.
            let power = terms.float_convert(Op::FFromUnsigned, Round::NearestEven, terms.number(128, 1 << 127), float);
            let (low, high) = if signed {
                let negative = terms.xor(power, self.sign_bit(float));
                let infinite = terms.xor(self.infinity(float), self.sign_bit(float));
                let above = terms.and(terms.compare(Op::FLessEq, negative, value), terms.compare(Op::FLess, infinite, value));
                (above, power)
            } else {
                let minus_one = terms.float_convert(Op::FFromSigned, Round::NearestEven, terms.number(32, u128::MAX), float);
                let double = terms.float_binary(Op::FAdd, Round::NearestEven, power, power);
                (terms.compare(Op::FLess, minus_one, value), double)
            };
            terms.and(low, terms.compare(Op::FLess, value, high))
        } else {
            // The value in range is strictly between these, whatever is representable near them: rounding the bounds
            // outwards does not let another float in.
            let wide = width + 2;
            let (low, high) = if signed {
                let power = 1u128 << (width - 1);
                (terms.number(wide, power.wrapping_neg().wrapping_sub(1)), terms.number(wide, power))
            } else {
                (terms.number(wide, u128::MAX), terms.number(wide, 1u128 << width))
            };
            let low = terms.float_convert(Op::FFromSigned, Round::TowardNegative, low, float);
            let high = terms.float_convert(Op::FFromSigned, Round::TowardPositive, high, float);
            terms.and(terms.compare(Op::FLess, low, value), terms.compare(Op::FLess, value, high))
        };
        let fails = terms.not(inside);
        let op = if signed { Op::FToSigned } else { Op::FToUnsigned };
        let converted = terms.float_convert(op, Round::TowardZero, value, width);
        self.checked(CheckKind::FloatToInteger, fails, converted, "a float out of the integer's range")
    }

    /// A value that is undefined where `fails` holds.
    fn checked(&mut self, kind: CheckKind, fails: Term, value: Term, what: &str) -> Term {
        if self.terms().is_false(fails) {
            return value;
        }
        self.check(kind, fails);
        self.unless(fails, value, what)
    }

    /// The value, or any where it is undefined.
    fn unless(&mut self, undefined: Term, value: Term, what: &str) -> Term {
        if self.terms().is_false(undefined) {
            return value;
        }
        let width = self.terms().width(value);
        let any = self.approximation(width, what);
        self.terms().ite(undefined, any, value)
    }

    fn check(&mut self, kind: CheckKind, fails: Term) {
        let fails = self.guard.map_or(fails, |guard| self.terms().and(guard, fails));
        if !self.terms().is_false(fails) {
            self.emit(Operation::Check { kind, fails });
        }
    }

    /// As `check`, of an operation whose operands the message about it shows.
    fn check_operation(&mut self, kind: CheckKind, fails: Term, sign: Sign, left: Term, right: Term) {
        let fails = self.guard.map_or(fails, |guard| self.terms().and(guard, fails));
        if !self.terms().is_false(fails) {
            // Where it comes first in a statement, the edge after it is the one that says so.
            self.span = self.statement.unwrap_or(self.span);
            self.emit_as(Operation::Check { kind, fails }, Origin::Operation { sign, left, right });
        }
    }

    /// Whether signed operations of this type are checked for overflow.
    fn watches_overflow(&self, class: Class) -> bool {
        matches!(class, Class::Int { signed: true, .. })
    }

    /// Whether the exact result, computed in `wide` bits, does not fit.
    fn does_not_fit(&self, op: Op, a: Term, b: Term, wide: u32) -> Term {
        let terms = self.terms();
        let width = terms.width(a);
        if wide > 128 {
            // There are no terms as wide: signs tell of a sum, the division back of a product.
            let result = terms.binary(op, a, b);
            let sign = |term| terms.extract(term, width - 1, width - 1);
            return match op {
                Op::Add => sign(terms.and(terms.xor(a, result), terms.xor(b, result))),
                _ => {
                    let zero = terms.number(width, 0);
                    let back = terms.binary(Op::SignedDiv, result, a);
                    let smallest = terms.eq(b, self.sign_bit(width));
                    let turned = terms.and(terms.eq(a, terms.number(width, u128::MAX)), smallest);
                    terms.and(terms.ne(a, zero), terms.or(terms.ne(back, b), turned))
                }
            };
        }
        let exact = terms.binary(op, terms.sign_extend(a, wide), terms.sign_extend(b, wide));
        let cut = terms.extract(exact, width - 1, 0);
        terms.ne(terms.sign_extend(cut, wide), exact)
    }

    pub(super) fn negate(&mut self, value: Term, class: Class) -> Term {
        if let Class::Float { width } = class {
            let sign = self.sign_bit(width);
            return self.terms().xor(value, sign);
        }
        if self.watches_overflow(class) {
            let width = self.terms().width(value);
            let smallest = self.terms().number(width, 1 << (width - 1));
            let fails = self.terms().eq(value, smallest);
            let zero = self.terms().number(width, 0);
            self.check_operation(CheckKind::SignedOverflow, fails, Sign::Negated, zero, value);
        } else if let Class::Int { width, .. } = class {
            let zero = self.terms().number(width, 0);
            self.watch_wrap(BinaryOp::Sub, zero, value);
        }
        self.terms().neg(value)
    }

    pub(super) fn sign_bit(&self, width: u32) -> Term {
        self.terms().number(width, 1 << (width - 1))
    }

    pub(super) fn is_nan(&self, value: Term) -> Term {
        let terms = self.terms();
        terms.not(terms.compare(Op::FEq, value, value))
    }

    /// The result of an operation on floats: terms know one NaN, machines and compilers give NaNs of both signs and
    /// many payloads. Which one it is matters only to programs that look at the bits.
    pub(super) fn any_nan(&mut self, value: Term) -> Term {
        self.any_nan_of(value, None)
    }

    /// As `any_nan`, with the sign where it is known.
    fn any_nan_of(&mut self, value: Term, sign: Option<Term>) -> Term {
        let width = self.terms().width(value);
        let is_nan = self.is_nan(value);
        let Some(format) = FloatFormat::of_width(width).filter(|_| self.l.facts.sees_float_bits) else { return value };
        if self.terms().is_false(is_nan) {
            return value;
        }
        // C leaves them open, though the value is there.
        let ctype = CType::Integer { width, signed: false, name: "unsigned int" };
        let bits = self.unknown(width, ctype, ValueSourceKind::Payload, "the sign and payload of a NaN");
        let terms = self.terms();
        let nan = terms.number(width, format.nan());
        let chosen = terms.or(nan, terms.and(bits, terms.not(nan)));
        let chosen = sign.map_or(chosen, |sign| terms.concat(sign, terms.extract(chosen, width - 2, 0)));
        terms.ite(is_nan, chosen, value)
    }

    pub(super) fn infinity(&self, width: u32) -> Term {
        let bits = match FloatFormat::of_width(width) {
            Some(FloatFormat::Half) => 0x7C00,
            Some(FloatFormat::Single) => 0x7F80_0000,
            Some(FloatFormat::Double) => 0x7FF0_0000_0000_0000,
            Some(FloatFormat::Extended) => 0x7FFF_8000_0000_0000_0000,
            _ => 0x7FFF_0000_0000_0000_0000_0000_0000_0000,
        };
        self.terms().number(width, bits)
    }

    /// The magnitude of a float: its sign bit cleared.
    pub(super) fn magnitude(&self, value: Term) -> Term {
        let terms = self.terms();
        let width = terms.width(value);
        terms.and(value, terms.not(self.sign_bit(width)))
    }

    /// A comparison of two values of one type, as truth.
    pub(super) fn compare(&self, op: BinaryOp, class: Class, a: Term, b: Term) -> Term {
        let terms = self.terms();
        let (a, b, op) = match op {
            BinaryOp::Gt => (b, a, BinaryOp::Lt),
            BinaryOp::Ge => (b, a, BinaryOp::Le),
            op => (a, b, op),
        };
        match (class, op) {
            (Class::Float { .. }, BinaryOp::Eq) => terms.compare(Op::FEq, a, b),
            (Class::Float { .. }, BinaryOp::Ne) => terms.not(terms.compare(Op::FEq, a, b)),
            (Class::Float { .. }, BinaryOp::Lt) => terms.compare(Op::FLess, a, b),
            (Class::Float { .. }, _) => terms.compare(Op::FLessEq, a, b),
            (_, BinaryOp::Eq) => terms.eq(a, b),
            (_, BinaryOp::Ne) => terms.ne(a, b),
            (_, BinaryOp::Lt) if class.is_signed() => terms.slt(a, b),
            (_, BinaryOp::Lt) => terms.ult(a, b),
            _ if class.is_signed() => terms.sle(a, b),
            _ => terms.ule(a, b),
        }
    }

    /// Arithmetic on two operands of one type; shifts take their amount in its own type.
    pub(super) fn arithmetic(&mut self, op: BinaryOp, class: Class, a: Term, b: Term, amount: Class) -> Term {
        if let Class::Float { .. } = class {
            let op = match op {
                BinaryOp::Add => Op::FAdd,
                BinaryOp::Sub => Op::FSub,
                BinaryOp::Mul => Op::FMul,
                _ => Op::FDiv,
            };
            let result = self.rounded(&[a, b], |terms, mode| terms.float_binary(op, mode, a, b));
            self.watch_float(&[a, b], result);
            return self.any_nan(result);
        }
        let signed = class.is_signed();
        let watched = self.watches_overflow(class);
        let width = self.terms().width(a);
        if matches!(class, Class::Int { signed: false, .. }) {
            self.watch_wrap(op, a, b);
        }
        match op {
            BinaryOp::Add | BinaryOp::Sub => {
                if watched {
                    // The negation of the second operand is exact in one more bit.
                    let fails = if op == BinaryOp::Add {
                        self.does_not_fit(Op::Add, a, b, width + 1)
                    } else if width + 2 > 128 {
                        let terms = self.terms();
                        let signs = terms.and(terms.xor(a, b), terms.xor(a, terms.sub(a, b)));
                        terms.extract(signs, width - 1, width - 1)
                    } else {
                        let terms = self.terms();
                        let wide = terms.neg(terms.sign_extend(b, width + 1));
                        let exact = terms.add(terms.sign_extend(a, width + 2), terms.sign_extend(wide, width + 2));
                        let cut = terms.extract(exact, width - 1, 0);
                        terms.ne(terms.sign_extend(cut, width + 2), exact)
                    };
                    let sign = if op == BinaryOp::Add { Sign::Plus } else { Sign::Minus };
                    self.check_operation(CheckKind::SignedOverflow, fails, sign, a, b);
                }
                if op == BinaryOp::Add { self.terms().add(a, b) } else { self.terms().sub(a, b) }
            }
            BinaryOp::Mul => {
                if watched {
                    let fails = self.does_not_fit(Op::Mul, a, b, 2 * width);
                    self.check_operation(CheckKind::SignedOverflow, fails, Sign::Times, a, b);
                }
                self.terms().mul(a, b)
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let zero = self.terms().number(width, 0);
                let mut undefined = self.terms().eq(b, zero);
                let sign = if op == BinaryOp::Div { Sign::Divided } else { Sign::Remainder };
                self.check_operation(CheckKind::DivisionByZero, undefined, sign, a, b);
                if signed {
                    let terms = self.terms();
                    let smallest = terms.eq(a, terms.number(width, 1 << (width - 1)));
                    let fails = terms.and(smallest, terms.eq(b, terms.number(width, u128::MAX)));
                    undefined = terms.or(undefined, fails);
                    self.check_operation(CheckKind::DivisionOverflow, fails, sign, a, b);
                }
                let op = match (op, signed) {
                    (BinaryOp::Div, true) => Op::SignedDiv,
                    (BinaryOp::Div, false) => Op::UnsignedDiv,
                    (_, true) => Op::SignedRem,
                    (_, false) => Op::UnsignedRem,
                };
                let value = self.terms().binary(op, a, b);
                self.unless(undefined, value, "a division by zero")
            }
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, class, a, b, amount),
            BinaryOp::BitAnd => self.terms().and(a, b),
            BinaryOp::BitOr => self.terms().or(a, b),
            BinaryOp::BitXor => self.terms().xor(a, b),
            _ => {
                let truth = self.compare(op, class, a, b);
                self.number_of(truth, 32)
            }
        }
    }

    fn shift(&mut self, op: BinaryOp, class: Class, a: Term, b: Term, amount: Class) -> Term {
        let terms = self.terms();
        let width = terms.width(a);
        let amount_width = terms.width(b);
        // A negative amount is a large one.
        let fails = if amount_width >= 32 || amount_width as u128 >= u128::from(width) {
            terms.not(terms.ult(b, terms.number(amount_width, u128::from(width))))
        } else {
            let wide = terms.resize(b, 32, amount.is_signed());
            terms.not(terms.ult(wide, terms.number(32, u128::from(width))))
        };
        let by = terms.resize(b, width, false);
        let kind = match (op, class.is_signed()) {
            (BinaryOp::Shl, _) => Op::ShiftLeft,
            (_, true) => Op::ShiftRightSigned,
            _ => Op::ShiftRight,
        };
        if op == BinaryOp::Shl && self.watches_overflow(class) {
            let terms = self.terms();
            let unfit = if 2 * width > 128 {
                let result = terms.binary(Op::ShiftLeft, a, by);
                terms.ne(terms.binary(Op::ShiftRightSigned, result, by), a)
            } else {
                let wide = terms.binary(Op::ShiftLeft, terms.sign_extend(a, 2 * width), terms.zero_extend(by, 2 * width));
                let cut = terms.extract(wide, width - 1, 0);
                terms.ne(terms.sign_extend(cut, 2 * width), wide)
            };
            let unfit = terms.and(unfit, terms.not(fails));
            self.check_operation(CheckKind::SignedOverflow, unfit, Sign::ShiftLeft, a, b);
            let negative = self.terms().slt(a, self.terms().number(width, 0));
            self.watch(CheckKind::ShiftOfNegative, negative);
        }
        let value = self.terms().binary(kind, a, by);
        let sign = if op == BinaryOp::Shl { Sign::ShiftLeft } else { Sign::ShiftRight };
        self.check_operation(CheckKind::ShiftRange, fails, sign, a, b);
        self.unless(fails, value, "a shift out of range")
    }
}
