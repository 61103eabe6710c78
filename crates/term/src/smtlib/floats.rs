//! The SMT-LIB text of float operators: templates around the texts of their operands.

use super::{FLOAT_COMPARISONS, ROUNDED, format_bits, round_name};
use crate::bits::Bits;
use crate::float::FloatFormat;
use crate::node::{Node, Op};

/// A piece of a template: text, or the place of an operand.
pub(super) enum Piece {
    Text(String),
    /// The operand as a bit-vector.
    Vector(usize),
    /// The operand read as a float.
    Float(usize),
}

fn text(value: impl Into<String>) -> Piece {
    Piece::Text(value.into())
}

pub(super) fn binary_digits(width: u32, value: u128) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = (width / 4) as usize)
    } else {
        format!("#b{value:0digits$b}", digits = width as usize)
    }
}

/// Around a bit-vector: the float of a format. x87's format has an integer bit that SMT-LIB's has not.
pub(super) fn float_of_vector(format: FloatFormat) -> (String, String) {
    let (e, s) = format_bits(format);
    if format != FloatFormat::Extended {
        return (format!("((_ to_fp {e} {s}) "), ")".into());
    }
    let exponent = "((_ extract 78 64) v)";
    let zero = binary_digits(15, 0);
    let after = format!(
        ")) (ite (and (= ((_ extract 63 63) v) #b0) (not (= {exponent} {zero}))) (_ NaN 15 64) ((_ to_fp 15 64) (concat ((_ extract 79 79) v) \
         (concat (ite (and (= ((_ extract 63 63) v) #b1) (= {exponent} {zero})) {one} {exponent}) ((_ extract 62 0) v))))))",
        one = binary_digits(15, 1)
    );
    ("(let ((v ".into(), after)
}

/// Around a float: its bit-vector, with the canonical NaN.
fn vector_of_float(format: FloatFormat) -> (String, String) {
    let nan = binary_digits(format.width(), format.nan());
    let bits = if format == FloatFormat::Extended {
        format!(
            "(let ((b (fp.to_ieee_bv f))) (concat ((_ extract 78 63) b) \
             (concat (ite (= ((_ extract 77 63) b) {}) #b0 #b1) ((_ extract 62 0) b))))",
            binary_digits(15, 0)
        )
    } else {
        "(fp.to_ieee_bv f)".into()
    };
    ("(let ((f ".into(), format!(")) (ite (fp.isNaN f) {nan} {bits}))"))
}

/// Plus or minus two to a power, infinite where the format ends before.
fn power_of_two(format: FloatFormat, negative: bool, power: i32) -> String {
    let (e, s) = format_bits(format);
    let stored = s - 1;
    let exponent = if power > format.bias() { Bits::mask(e) } else { (power + format.bias()) as u128 };
    let bits = (negative as u128) << (e + stored) | exponent << stored;
    format!("((_ to_fp {e} {s}) {})", binary_digits(e + s, bits))
}

/// The pieces of a float operator's text. As a float (for another float operator) or as a bit-vector.
pub(super) fn template(node: &Node, operand_width: u32, as_float: bool) -> Vec<Piece> {
    let mode = round_name(node.round);
    let source = FloatFormat::of_width(operand_width);
    let target = FloatFormat::of_width(node.width());
    if let Some((_, name)) = FLOAT_COMPARISONS.iter().find(|(op, _)| *op == node.op) {
        return vec![text(format!("({name} ")), Piece::Float(0), text(" "), Piece::Float(1), text(")")];
    }
    if let (Op::FToSigned | Op::FToUnsigned, Some(format)) = (node.op, source) {
        return to_integer(node, format, mode);
    }
    let mut pieces = Vec::new();
    let (before, after) = match target {
        Some(format) if !as_float => vector_of_float(format),
        _ => (String::new(), String::new()),
    };
    pieces.push(text(before));
    let (e, s) = target.map_or((0, 0), format_bits);
    match node.op {
        Op::FConvert => pieces.extend([text(format!("((_ to_fp {e} {s}) {mode} ")), Piece::Float(0), text(")")]),
        Op::FFromSigned => pieces.extend([text(format!("((_ to_fp {e} {s}) {mode} ")), Piece::Vector(0), text(")")]),
        Op::FFromUnsigned => pieces.extend([text(format!("((_ to_fp_unsigned {e} {s}) {mode} ")), Piece::Vector(0), text(")")]),
        // fmod from the IEEE remainder: of the magnitudes, moved above zero, with the dividend's sign.
        Op::FRem => pieces.extend([
            text("(let ((x "),
            Piece::Float(0),
            text(") (y "),
            Piece::Float(1),
            text(
                ")) (let ((r (fp.rem (fp.abs x) (fp.abs y)))) (let ((m (fp.abs (ite (fp.isNegative r) (ite (fp.isZero r) r \
                 (fp.add RNE r (fp.abs y))) r)))) (ite (fp.isNegative x) (fp.neg m) m))))",
            ),
        ]),
        op => {
            let name = ROUNDED.iter().find(|(o, _)| *o == op).map_or("fp.add", |(_, name)| name);
            pieces.extend([text(format!("({name} {mode} ")), Piece::Float(0)]);
            if op.arity() == 2 {
                pieces.extend([text(" "), Piece::Float(1)]);
            }
            pieces.push(text(")"));
        }
    }
    pieces.push(text(after));
    pieces
}

/// The conversion where the rounded value fits, else the pattern that stands for "no integer".
fn to_integer(node: &Node, format: FloatFormat, mode: &str) -> Vec<Piece> {
    let width = node.width();
    let signed = node.op == Op::FToSigned;
    let (e, s) = format_bits(format);
    let (name, low, high, invalid) = if signed {
        let power = width as i32 - 1;
        ("fp.to_sbv", power_of_two(format, true, power), power_of_two(format, false, power), 1u128 << (width - 1))
    } else {
        ("fp.to_ubv", format!("(_ +zero {e} {s})"), power_of_two(format, false, width as i32), Bits::mask(width))
    };
    vec![
        text("(let ((x "),
        Piece::Float(0),
        text(format!(
            ")) (let ((i (fp.roundToIntegral {mode} x))) (ite (and (not (fp.isNaN x)) (not (fp.isInfinite x)) (fp.leq {low} i) \
             (fp.lt i {high})) ((_ {name} {width}) {mode} x) {})))",
            binary_digits(width, invalid)
        )),
    ]
}
