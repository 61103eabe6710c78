//! SMT-LIB: a set of constraints as a script ([`Terms::to_smtlib`]) and back ([`Terms::read_smtlib`]).
//!
//! Truth values are `Bool` where operators make or need them and `(_ BitVec 1)` where they are data; float
//! operators convert their operands from bit patterns with `to_fp` and their results back with
//! `fp.to_ieee_bv` (Z3's name), with the one NaN pattern that the evaluator has. Shared parts are `define-fun`s
//! without parameters, so a script is linear in the number of distinct terms.

mod floats;
mod operators;
mod print;
mod read;

use crate::float::FloatFormat;
use crate::node::{Op, Round, Term};
use crate::store::Terms;

/// Exponent and significand bits as SMT-LIB counts them.
fn format_bits(format: FloatFormat) -> (u32, u32) {
    (format.exponent_bits(), format.precision())
}

/// Operators that are the same in SMT-LIB up to the name.
const NAMES: [(Op, &str); 27] = [
    (Op::Not, "bvnot"),
    (Op::Neg, "bvneg"),
    (Op::And, "bvand"),
    (Op::Or, "bvor"),
    (Op::Xor, "bvxor"),
    (Op::Add, "bvadd"),
    (Op::Mul, "bvmul"),
    (Op::UnsignedDiv, "bvudiv"),
    (Op::SignedDiv, "bvsdiv"),
    (Op::UnsignedRem, "bvurem"),
    (Op::SignedRem, "bvsrem"),
    (Op::ShiftLeft, "bvshl"),
    (Op::ShiftRight, "bvlshr"),
    (Op::ShiftRightSigned, "bvashr"),
    (Op::Eq, "="),
    (Op::UnsignedLess, "bvult"),
    (Op::SignedLess, "bvslt"),
    (Op::Concat, "concat"),
    (Op::Ite, "ite"),
    (Op::Select, "select"),
    (Op::Store, "store"),
    (Op::IntegerAdd, "+"),
    (Op::IntegerMul, "*"),
    (Op::IntegerNeg, "-"),
    (Op::IntegerDiv, "div"),
    (Op::IntegerMod, "mod"),
    (Op::IntegerLess, "<"),
];

/// Float operators with a rounding mode as first operand.
const ROUNDED: [(Op, &str); 6] = [
    (Op::FAdd, "fp.add"),
    (Op::FSub, "fp.sub"),
    (Op::FMul, "fp.mul"),
    (Op::FDiv, "fp.div"),
    (Op::FSqrt, "fp.sqrt"),
    (Op::FRoundToIntegral, "fp.roundToIntegral"),
];

const FLOAT_COMPARISONS: [(Op, &str); 3] = [(Op::FEq, "fp.eq"), (Op::FLess, "fp.lt"), (Op::FLessEq, "fp.leq")];

fn round_name(round: Round) -> &'static str {
    crate::syntax::ROUNDS.iter().find(|(.., r)| *r == round).map_or("RNE", |(_, name, _)| name)
}

/// `x` is not a number, as a truth value.
fn is_nan(terms: &Terms, x: Term) -> Term {
    let same = terms.compare(Op::FEq, x, x);
    terms.not(same)
}
