//! Every operator of the expression language as a circuit over its operands' words.

use super::circuit::Circuit;
use super::lit::Lit;
use super::words::{Word, constant, sign_extend, zero_extend};
use assay_term::{FloatFormat, Node, Op};

/// An operator that has no circuit; says which and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unsupported(pub String);

/// The word of an operator on bit-vectors. Leaves, arrays and `Apply` are the blaster's own business.
pub(crate) fn apply(circuit: &mut Circuit, node: &Node, operands: &[&[Lit]]) -> Result<Word, Unsupported> {
    let width = node.width();
    let c = circuit;
    let bit = |lit: Lit| Ok(vec![lit]);
    if node.op.is_float() {
        return float(c, node, operands);
    }
    match (node.op, operands) {
        (Op::Const, []) => Ok(constant(width, node.constant())),
        (Op::Not, [a]) => Ok(c.not_word(a)),
        (Op::Neg, [a]) => Ok(c.neg(a)),
        (Op::And, [a, b]) => Ok(c.and_word(a, b)),
        (Op::Or, [a, b]) => Ok(c.or_word(a, b)),
        (Op::Xor, [a, b]) => Ok(c.xor_word(a, b)),
        (Op::Add, [a, b]) => Ok(c.add(a, b)),
        (Op::Mul, [a, b]) => Ok(c.multiply(a, b, width as usize)),
        (Op::UnsignedDiv, [a, b]) => Ok(c.divide(a, b).0),
        (Op::UnsignedRem, [a, b]) => Ok(c.divide(a, b).1),
        (Op::SignedDiv | Op::SignedRem, [a, b]) => {
            let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
            let (x, y) = (c.absolute(a), c.absolute(b));
            let (quotient, rest) = c.divide(&x, &y);
            if node.op == Op::SignedRem {
                return Ok(c.negate_if(sign_a, &rest));
            }
            let negative = c.xor(sign_a, sign_b);
            Ok(c.negate_if(negative, &quotient))
        }
        (Op::ShiftLeft, [a, b]) => Ok(c.shift_left(a, b)),
        (Op::ShiftRight, [a, b]) => Ok(c.shift_right(a, b, Lit::FALSE)),
        (Op::ShiftRightSigned, [a, b]) => Ok(c.shift_right(a, b, a[a.len() - 1])),
        (Op::Eq, [a, b]) => bit(c.equal_words(a, b)),
        (Op::UnsignedLess, [a, b]) => bit(c.less(a, b)),
        (Op::SignedLess, [a, b]) => bit(c.less_signed(a, b)),
        (Op::Concat, [a, b]) => Ok(b.iter().chain(a.iter()).copied().collect()),
        (Op::Extract, [a]) => Ok(a[node.low() as usize..=node.high() as usize].to_vec()),
        (Op::ZeroExtend, [a]) => Ok(zero_extend(a, width as usize)),
        (Op::SignExtend, [a]) => Ok(sign_extend(a, width as usize)),
        (Op::Ite, [condition, a, b]) => Ok(c.mux_word(condition[0], a, b)),
        (op, _) => Err(Unsupported(format!("the operator {op:?}"))),
    }
}

fn float(c: &mut Circuit, node: &Node, operands: &[&[Lit]]) -> Result<Word, Unsupported> {
    let of_width = |width: usize| {
        FloatFormat::of_width(width as u32).ok_or_else(|| Unsupported(format!("{:?} on {width} bits, which no float format has", node.op)))
    };
    let round = node.round;
    let (width, a) = (node.width(), operands[0]);
    match (node.op, operands) {
        (Op::FFromSigned | Op::FFromUnsigned, _) => {
            Ok(c.float_from_integer(of_width(width as usize)?, round, a, node.op == Op::FFromSigned))
        }
        (Op::FAdd, [a, b]) => Ok(c.float_add(of_width(a.len())?, round, a, b, false)),
        (Op::FSub, [a, b]) => Ok(c.float_add(of_width(a.len())?, round, a, b, true)),
        (Op::FMul, [a, b]) => Ok(c.float_multiply(of_width(a.len())?, round, a, b)),
        (Op::FDiv, [a, b]) => Ok(c.float_divide(of_width(a.len())?, round, a, b)),
        (Op::FRem, [a, b]) => {
            c.float_remainder(of_width(a.len())?, a, b).ok_or_else(|| Unsupported(format!("the float remainder of {} bits", a.len())))
        }
        (Op::FSqrt, [a]) => Ok(c.float_square_root(of_width(a.len())?, round, a)),
        (Op::FRoundToIntegral, [a]) => Ok(c.float_round_to_integral(of_width(a.len())?, round, a)),
        (Op::FEq, [a, b]) => Ok(vec![c.float_equal(of_width(a.len())?, a, b)]),
        (Op::FLess, [a, b]) => Ok(vec![c.float_less(of_width(a.len())?, a, b, false)]),
        (Op::FLessEq, [a, b]) => Ok(vec![c.float_less(of_width(a.len())?, a, b, true)]),
        (Op::FConvert, [a]) => Ok(c.float_convert(of_width(a.len())?, of_width(width as usize)?, round, a)),
        (Op::FToSigned | Op::FToUnsigned, [a]) => Ok(c.float_to_integer(of_width(a.len())?, round, a, width, node.op == Op::FToSigned)),
        (op, _) => Err(Unsupported(format!("the operator {op:?}"))),
    }
}
