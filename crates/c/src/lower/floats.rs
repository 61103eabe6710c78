//! Functions on floats: those that the automaton computes exactly, and enclosures of the others.

use super::body::{Body, Value, Wanted};
use super::call::Argument;
use super::facts::Global;
use super::{Class, Lowering};
use crate::models::FloatFunction;
use assay_base::AssumptionClass;
use assay_cfa::{CType, Role, Scope, Storage, ValueSourceKind, VarId};
use assay_term::{Op, Round, Term, Terms};
use rucc_ast::BinaryOp;
use rucc_types::TypeId;

/// The width of the rounding mode.
const MODE: u32 = 32;
/// The modes as x86 numbers them (`FE_TONEAREST`, `FE_DOWNWARD`, `FE_UPWARD`, `FE_TOWARDZERO`).
const MODES: [(u128, Round); 4] =
    [(0, Round::NearestEven), (0x400, Round::TowardNegative), (0x800, Round::TowardPositive), (0xc00, Round::TowardZero)];

impl Lowering<'_> {
    /// Keeps the rounding mode in a register of its own if the program may set it.
    pub(super) fn follow_rounding(&mut self) {
        let sets = |&global: &Global| {
            let unit = &self.units[global.unit];
            unit.tast[global.id()].name.is_some_and(|name| unit.text(name) == "fesetround")
        };
        if let Some(global) = self.facts.functions.iter().copied().find(sets) {
            let unit = &self.units[global.unit];
            let span = unit.span(unit.tast.definition_span(global.id()));
            let ctype = CType::Integer { width: MODE, signed: true, name: "int" };
            let storage = Storage::Register { width: MODE };
            self.rounding = Some(self.builder.variable("", Scope::Global, Role::Temporary, storage, ctype, span));
        }
    }
}

impl Body<'_, '_> {
    /// An operation in the rounding mode of the moment. What has constant operands is computed by the compiler, to
    /// nearest.
    pub(super) fn rounded(&mut self, operands: &[Term], make: impl Fn(&Terms, Round) -> Term) -> Term {
        let nearest = make(self.terms(), Round::NearestEven);
        let Some(mode) = self.l.rounding else { return nearest };
        if operands.iter().all(|&operand| self.terms().as_constant(operand).is_some()) {
            return nearest;
        }
        self.by_mode(mode, nearest, make)
    }

    fn by_mode(&mut self, mode: VarId, nearest: Term, make: impl Fn(&Terms, Round) -> Term) -> Term {
        if self.unit.is_library {
            self.only_to_nearest();
            return nearest;
        }
        let mode = self.read(mode);
        let terms = self.terms();
        MODES[1..]
            .iter()
            .fold(nearest, |result, &(number, round)| terms.ite(terms.eq(mode, terms.number(MODE, number)), make(terms, round), result))
    }

    /// A float as an integer of its own type, in the rounding mode of the moment; compilers leave that to the library.
    fn rounded_to_integral(&mut self, value: Term) -> Term {
        let make = |terms: &Terms, mode| terms.float_unary(Op::FRoundToIntegral, mode, value);
        let nearest = make(self.terms(), Round::NearestEven);
        match self.l.rounding {
            Some(mode) => self.by_mode(mode, nearest, make),
            None => nearest,
        }
    }

    /// Models of the library are for rounding to nearest.
    pub(super) fn only_to_nearest(&mut self) {
        let Some(mode) = self.l.rounding else { return };
        let mode = self.read(mode);
        let other = self.terms().ne(mode, self.terms().number(MODE, 0));
        let (other, nearest) = self.split(other, None);
        self.ends = other;
        self.unsupported("a library function in a rounding mode other than to nearest");
        let mut other = std::mem::replace(&mut self.ends, nearest);
        self.ends.append(&mut other);
    }

    /// `fesetround`: 0 for the modes that there are, 1 for others, which change nothing.
    pub(super) fn set_rounding(&mut self, mode: Term, width: u32) -> Value {
        let Some(register) = self.l.rounding else { return Value::Scalar(self.terms().number(width, 0)) };
        let mode = self.terms().resize(mode, MODE, true);
        let old = self.read(register);
        let terms = self.terms();
        let known = MODES.iter().fold(terms.false_(), |known, &(number, _)| terms.or(known, terms.eq(mode, terms.number(MODE, number))));
        let (new, result) = (terms.ite(known, mode, old), terms.ite(known, terms.number(width, 0), terms.number(width, 1)));
        self.assign(register, new);
        Value::Scalar(result)
    }

    /// `fegetround`.
    pub(super) fn rounding(&mut self, width: u32) -> Value {
        let mode = match self.l.rounding {
            Some(register) => self.read(register),
            None => self.terms().number(MODE, 0),
        };
        Value::Scalar(self.terms().resize(mode, width, true))
    }

    pub(super) fn float_call(&mut self, function: FloatFunction, name: &str, arguments: &[Argument], ty: TypeId, wanted: Wanted) -> Value {
        let class = self.unit.class(ty);
        let result = class.width(self.pointer_width()).unwrap_or(32);
        let operand = |number: usize| match arguments.get(number) {
            Some(&Argument { value: Value::Scalar(value), class: class @ Class::Float { .. }, .. }) => Some((value, class)),
            _ => None,
        };
        if matches!(function, FloatFunction::Nan | FloatFunction::Infinity) {
            let nan = assay_term::FloatFormat::of_width(result).map_or(0, |format| format.nan());
            let value = if function == FloatFunction::Nan { self.terms().number(result, nan) } else { self.infinity(result) };
            return Value::Scalar(value);
        }
        let two = matches!(
            function,
            FloatFunction::CopySign
                | FloatFunction::Remainder
                | FloatFunction::Minimum
                | FloatFunction::Maximum
                | FloatFunction::PositiveDifference
        );
        let (Some((a, from)), true) = (operand(0), !two || operand(1).is_some()) else {
            return self.approximated(name, ty);
        };
        let b = operand(1).map_or(a, |(b, _)| b);
        let width = self.terms().width(a);
        if self.terms().width(b) != width {
            return self.approximated(name, ty);
        }
        let terms = self.terms();
        let round = |mode| terms.float_unary(Op::FRoundToIntegral, mode, a);
        let float = match function {
            FloatFunction::Magnitude => self.magnitude(a),
            FloatFunction::CopySign => {
                let sign = self.known_sign(b);
                let below = self.terms().number(width - 1, 0);
                let sign = self.terms().concat(sign, below);
                self.terms().or(self.magnitude(a), sign)
            }
            FloatFunction::SquareRoot => self.rounded(&[a], |terms, mode| terms.float_unary(Op::FSqrt, mode, a)),
            FloatFunction::Floor => round(Round::TowardNegative),
            FloatFunction::Ceiling => round(Round::TowardPositive),
            FloatFunction::Truncate => round(Round::TowardZero),
            FloatFunction::Round => round(Round::NearestAway),
            FloatFunction::RoundEven => round(Round::NearestEven),
            FloatFunction::RoundByMode => self.rounded_to_integral(a),
            FloatFunction::RoundToInteger | FloatFunction::RoundByModeToInteger => {
                let rounded = match function {
                    FloatFunction::RoundToInteger => round(Round::NearestAway),
                    _ => self.rounded_to_integral(a),
                };
                return Value::Scalar(self.convert(rounded, from, class));
            }
            FloatFunction::Remainder => terms.float_binary(Op::FRem, Round::NearestEven, a, b),
            FloatFunction::Minimum | FloatFunction::Maximum => {
                let op = if function == FloatFunction::Minimum { BinaryOp::Lt } else { BinaryOp::Gt };
                let better = self.compare(op, from, a, b);
                let chosen = terms.ite(better, a, b);
                let chosen = terms.ite(self.is_nan(b), a, chosen);
                terms.ite(self.is_nan(a), b, chosen)
            }
            FloatFunction::PositiveDifference => {
                let difference = self.rounded(&[a, b], |terms, mode| terms.float_binary(Op::FSub, mode, a, b));
                let terms = self.terms();
                let less = self.compare(BinaryOp::Le, from, a, b);
                terms.ite(less, terms.number(width, 0), difference)
            }
            FloatFunction::Nan | FloatFunction::Infinity => return self.approximated(name, ty),
            FloatFunction::IsNan => return self.flag(self.is_nan(a), result),
            FloatFunction::IsFinite => return self.flag(self.is_finite(a), result),
            FloatFunction::IsNormal => return self.flag(self.is_normal(a), result),
            FloatFunction::SignBit => {
                let sign = self.known_sign(a);
                let flag = self.number_of(sign, result);
                return Value::Scalar(self.any_truth(flag, wanted, name));
            }
            FloatFunction::IsInfinite => {
                // glibc gives 1 for plus and -1 for minus infinity.
                let infinite = terms.eq(self.magnitude(a), self.infinity(width));
                let negative = terms.extract(a, width - 1, width - 1);
                let (one, minus, zero) = (terms.number(result, 1), terms.number(result, u128::MAX), terms.number(result, 0));
                return Value::Scalar(terms.ite(infinite, terms.ite(negative, minus, one), zero));
            }
            FloatFunction::Classify => return Value::Scalar(self.fp_class(a, [0, 1, 4, 3, 2].map(|n| terms.number(result, n)))),
        };
        let keeps_bits = matches!(function, FloatFunction::Magnitude | FloatFunction::CopySign);
        let float = if keeps_bits { float } else { self.any_nan(float) };
        Value::Scalar(self.convert(float, from, class))
    }

    fn flag(&self, truth: Term, width: u32) -> Value {
        Value::Scalar(self.number_of(truth, width))
    }

    fn approximated(&mut self, name: &str, ty: TypeId) -> Value {
        self.note(AssumptionClass::Over, format!("{name} is not computed: it may return any value"));
        self.unknown_result(ty, None, ValueSourceKind::Approximation, name)
    }

    /// The sign of a float. That of a NaN is what the machine made of it, which is followed where the program itself
    /// looks at the bits of floats.
    pub(super) fn known_sign(&mut self, value: Term) -> Term {
        let width = self.terms().width(value);
        let sign = self.terms().extract(value, width - 1, width - 1);
        let nan = self.is_nan(value);
        if self.l.facts.sees_float_bits || self.terms().is_false(nan) {
            return sign;
        }
        let any = self.approximation(1, "the sign of a NaN");
        self.terms().ite(nan, any, sign)
    }

    /// A truth value of the library: where it is not 0 it is this number on the machine at hand and another one
    /// elsewhere, so that a proof may not rest on it.
    pub(super) fn any_truth(&mut self, value: Term, wanted: Wanted, name: &str) -> Term {
        if matches!(wanted, Wanted::Truth | Wanted::Nothing) || self.terms().as_constant(value).is_some_and(|bits| bits.is_zero()) {
            return value;
        }
        let width = self.terms().width(value);
        self.usual_or(value, name, |body| {
            let other = body.approximation(width, name);
            let terms = body.terms();
            terms.ite(terms.is_nonzero(other), other, terms.number(width, 1))
        })
    }

    /// The result of a comparison: its sign is known, its size is this on the machine at hand and another one
    /// elsewhere.
    pub(super) fn any_size(&mut self, value: Term, wanted: Wanted, name: &str) -> Term {
        if wanted != Wanted::Value || self.terms().as_constant(value).is_some_and(|bits| bits.is_zero()) {
            return value;
        }
        let width = self.terms().width(value);
        self.usual_or(value, name, |body| {
            let other = body.approximation(width - 1, name);
            let terms = body.terms();
            let sign = terms.extract(value, width - 1, width - 1);
            // With the sign before it, such a number is zero only where it is positive and all its bits are.
            let other = terms.concat(sign, other);
            terms.ite(terms.is_nonzero(other), other, terms.number(width, 1))
        })
    }

    /// A number where it is 0; elsewhere that number on one path, and what else it may be on another.
    fn usual_or(&mut self, value: Term, name: &str, other: impl FnOnce(&mut Self) -> Term) -> Term {
        let width = self.terms().width(value);
        let result = self.temporary(width, CType::Integer { width, signed: true, name: "int" });
        self.assign(result, value);
        let something = self.terms().is_nonzero(value);
        let (yes, mut done) = self.split(something, None);
        self.ends = yes;
        let usual = self.unknown(1, CType::Bool, ValueSourceKind::System, name);
        let (mut usually, unusual) = self.split(usual, None);
        self.ends = unusual;
        let other = other(self);
        self.assign(result, other);
        self.ends.append(&mut usually);
        self.ends.append(&mut done);
        self.read(result)
    }

    /// A function that is not computed: any value, within its bounds, or NaN where that can be.
    pub(super) fn enclosed(&mut self, bounds: &str, total: bool, name: &str, arguments: &[Argument], ty: TypeId) -> Value {
        self.only_to_nearest();
        let value = self.approximated(name, ty);
        let (Value::Scalar(result), class @ Class::Float { .. }) = (value, self.unit.class(ty)) else { return value };
        let (low, high) = bounds.split_once("..").unwrap_or(("", ""));
        let double = Class::Float { width: 64 };
        let mut inside = self.terms().true_();
        for (bound, is_low) in [(low, true), (high, false)] {
            let Ok(bound) = bound.parse::<f64>() else { continue };
            let bound = self.terms().number(64, u128::from(bound.to_bits()));
            let bound = self.convert(bound, double, class);
            let (a, b) = if is_low { (bound, result) } else { (result, bound) };
            let holds = self.compare(BinaryOp::Le, class, a, b);
            inside = self.terms().and(inside, holds);
        }
        let nan = self.is_nan(result);
        let mut condition = self.terms().or(inside, nan);
        if total {
            // NaN comes only of NaN, or of an infinity.
            let mut odd = self.terms().false_();
            for argument in arguments {
                if let (Value::Scalar(operand), Class::Float { .. }) = (argument.value, argument.class) {
                    let finite = self.is_finite(operand);
                    odd = self.terms().or(odd, self.terms().not(finite));
                }
            }
            condition = self.terms().and(condition, self.terms().or(odd, self.terms().not(nan)));
        }
        let fallback = [low, high].into_iter().find_map(|bound| bound.parse::<f64>().ok()).unwrap_or(0.0);
        let fallback = self.terms().number(64, u128::from(fallback.to_bits()));
        let fallback = self.convert(fallback, double, class);
        Value::Scalar(self.terms().ite(condition, result, fallback))
    }

    pub(super) fn is_finite(&self, value: Term) -> Term {
        let width = self.terms().width(value);
        let magnitude = self.magnitude(value);
        self.terms().compare(Op::FLess, magnitude, self.infinity(width))
    }

    pub(super) fn is_normal(&self, value: Term) -> Term {
        let terms = self.terms();
        let magnitude = self.magnitude(value);
        let large = terms.not(terms.compare(Op::FLess, magnitude, self.smallest_normal(terms.width(value))));
        terms.and(self.is_finite(value), large)
    }

    fn smallest_normal(&self, width: u32) -> Term {
        let bits = match width {
            16 => 1 << 10,
            32 => 1 << 23,
            64 => 1 << 52,
            80 => (1 << 64) | (1 << 63),
            _ => 1 << 112,
        };
        self.terms().number(width, bits)
    }

    /// One of five answers: NaN, infinite, normal, subnormal, zero.
    pub(super) fn fp_class(&self, value: Term, answers: [Term; 5]) -> Term {
        let terms = self.terms();
        let zero = terms.compare(Op::FEq, value, terms.number(terms.width(value), 0));
        let rest = terms.ite(zero, answers[4], answers[3]);
        let rest = terms.ite(self.is_normal(value), answers[2], rest);
        let rest = terms.ite(terms.or(self.is_finite(value), self.is_nan(value)), rest, answers[1]);
        terms.ite(self.is_nan(value), answers[0], rest)
    }
}
