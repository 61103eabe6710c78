//! What operators of SMT-LIB mean: the terms that their applications are.

use super::read::{Head, Reader, Value};
use super::{FLOAT_COMPARISONS, NAMES, ROUNDED, is_nan};
use crate::bits::Bits;
use crate::float::{FloatFormat, makes_float};
use crate::node::{Op, Round, Sort, Term};
use crate::syntax::{checked, valid_width};

impl Reader<'_> {
    /// The outer option says whether the operator is known, the inner one whether the operands fit.
    pub(super) fn apply(&self, head: &Head, values: &[Value]) -> Option<Option<Value>> {
        if let Some((symbol, parameters, sort)) = self.functions.get(&head.name) {
            let arguments: Option<Vec<Term>> = values.iter().map(|v| v.term()).collect();
            let fits = |arguments: &Vec<Term>| {
                arguments.len() == parameters.len() && arguments.iter().zip(parameters).all(|(&a, &s)| self.terms.sort(a) == s)
            };
            return Some(arguments.filter(fits).map(|arguments| Value::Vector(self.terms.apply(*symbol, &arguments, *sort))));
        }
        if let Some(result) = self.float_operator(head, values) {
            return Some(result);
        }
        let operands: Vec<Term> = values.iter().filter_map(|v| v.term()).collect();
        if operands.len() != values.len() || operands.is_empty() {
            // A float operator that is not among those above, or nonsense.
            return if head.name.starts_with("fp.") { None } else { Some(None) };
        }
        let is_float = matches!(values.last(), Some(Value::Float(_)));
        let result = self.operator(head, &operands, is_float)?;
        let keeps_float = is_float && matches!(head.name.as_str(), "ite" | "store" | "select");
        Some(result.map(|term| if keeps_float { Value::Float(term) } else { Value::Vector(term) }))
    }

    fn operator(&self, head: &Head, operands: &[Term], is_float: bool) -> Option<Option<Term>> {
        let t = self.terms;
        let near = Round::NearestEven;
        let build = |op: Op, operands: &[Term]| checked(t, op, near, &[], operands);
        let fold = |op: Op| {
            let mut result = operands[0];
            for &operand in &operands[1..] {
                result = build(op, &[result, operand])?;
            }
            Some(result)
        };
        let compare = |op: Op, swap: bool, negate: bool| {
            let &[a, b] = operands else { return None };
            let result = build(op, &if swap { [b, a] } else { [a, b] })?;
            Some(if negate { t.not(result) } else { result })
        };
        let width = t.width(operands[0]);
        Some(match head.name.as_str() {
            "and" | "bvand" => fold(Op::And),
            "or" | "bvor" => fold(Op::Or),
            "xor" | "bvxor" => fold(Op::Xor),
            "bvadd" => fold(Op::Add),
            "bvmul" => fold(Op::Mul),
            "concat" => fold(Op::Concat),
            "not" => build(Op::Not, operands),
            "=>" => {
                let &[a, b] = operands else { return Some(None) };
                build(Op::Not, &[a]).and_then(|a| build(Op::Or, &[a, b]))
            }
            "=" | "distinct" => {
                let mut all = t.true_();
                for (i, &a) in operands.iter().enumerate() {
                    for &b in &operands[i + 1..] {
                        if head.name == "=" && i > 0 {
                            break;
                        }
                        let Some(mut equal) = build(Op::Eq, &[a, b]) else { return Some(None) };
                        if is_float {
                            let both = t.and(is_nan(t, a), is_nan(t, b));
                            equal = t.or(equal, both);
                        }
                        all = t.and(all, if head.name == "=" { equal } else { t.not(equal) });
                    }
                }
                Some(all)
            }
            "+" => fold(Op::IntegerAdd),
            "*" => fold(Op::IntegerMul),
            "-" if operands.len() == 1 => build(Op::IntegerNeg, operands),
            "-" => {
                let mut result = operands[0];
                for &operand in &operands[1..] {
                    let Some(negative) = build(Op::IntegerNeg, &[operand]) else { return Some(None) };
                    let Some(sum) = build(Op::IntegerAdd, &[result, negative]) else { return Some(None) };
                    result = sum;
                }
                Some(result)
            }
            "<" => compare(Op::IntegerLess, false, false),
            ">" => compare(Op::IntegerLess, true, false),
            "<=" => compare(Op::IntegerLess, true, true),
            ">=" => compare(Op::IntegerLess, false, true),
            "bv2nat" | "ubv_to_int" => build(Op::IntegerOfUnsigned, operands),
            "sbv_to_int" => build(Op::IntegerOfSigned, operands),
            "int2bv" | "int_to_bv" => checked(t, Op::IntegerToBits, near, &head.numbers, operands),
            "bvsub" => {
                let &[a, b] = operands else { return Some(None) };
                build(Op::Neg, &[b]).and_then(|b| build(Op::Add, &[a, b]))
            }
            "bvnand" | "bvnor" | "bvxnor" => {
                let op = [Op::And, Op::Or, Op::Xor][["bvnand", "bvnor", "bvxnor"].iter().position(|n| *n == head.name)?];
                fold(op).map(|term| t.not(term))
            }
            "bvcomp" => compare(Op::Eq, false, false),
            "bvult" => compare(Op::UnsignedLess, false, false),
            "bvugt" => compare(Op::UnsignedLess, true, false),
            "bvule" => compare(Op::UnsignedLess, true, true),
            "bvuge" => compare(Op::UnsignedLess, false, true),
            "bvslt" => compare(Op::SignedLess, false, false),
            "bvsgt" => compare(Op::SignedLess, true, false),
            "bvsle" => compare(Op::SignedLess, true, true),
            "bvsge" => compare(Op::SignedLess, false, true),
            "extract" => checked(t, Op::Extract, near, &head.numbers, operands),
            "zero_extend" | "sign_extend" => {
                let op = if head.name == "zero_extend" { Op::ZeroExtend } else { Op::SignExtend };
                let &[by] = head.numbers.as_slice() else { return Some(None) };
                checked(t, op, near, &[width.saturating_add(by)], operands)
            }
            "const" => {
                let sort = head.sort.filter(|s| s.is_array() && s.width() == width && operands.len() == 1);
                sort.and_then(|sort| checked(t, Op::ConstArray, near, &[sort.index_width()], operands))
            }
            name => {
                let &(op, _) = NAMES.iter().find(|(_, known)| *known == name)?;
                build(op, operands)
            }
        })
    }

    fn float_operator(&self, head: &Head, values: &[Value]) -> Option<Option<Value>> {
        let t = self.terms;
        let (round, rest) = match values.split_first() {
            Some((Value::Round(round), rest)) => (Some(*round), rest),
            _ => (None, values),
        };
        let operands: Vec<Term> = rest.iter().filter_map(|v| v.term()).collect();
        let near = Round::NearestEven;
        let first = operands.first().copied();
        let is_float = matches!(rest.first(), Some(Value::Float(_)));
        let name = head.name.as_str();
        if let Some(&(op, _)) = ROUNDED.iter().find(|(_, known)| *known == name) {
            return Some(round.and_then(|round| checked(t, op, round, &[], &operands)).map(Value::Float));
        }
        if let Some(&(op, _)) = FLOAT_COMPARISONS.iter().find(|(_, known)| *known == name) {
            return Some(checked(t, op, near, &[], &operands).map(Value::Vector));
        }
        // Questions about one float.
        let format = first.and_then(|x| FloatFormat::of_width(t.width(x)));
        let sign = |x: Term| t.extract(x, t.width(x) - 1, t.width(x) - 1);
        let magnitude = |x: Term| t.and(x, t.number(t.width(x), Bits::mask(t.width(x) - 1)));
        let ask = |question: &dyn Fn(Term, FloatFormat) -> Term| Some(Value::Vector(question(first?, format?)));
        Some(match name {
            "fp.gt" | "fp.geq" => {
                let op = if name == "fp.gt" { Op::FLess } else { Op::FLessEq };
                let &[a, b] = operands.as_slice() else { return Some(None) };
                checked(t, op, near, &[], &[b, a]).map(Value::Vector)
            }
            "fp.isNaN" => ask(&|x, _| is_nan(t, x)),
            "fp.isZero" => ask(&|x, _| t.eq(magnitude(x), t.number(t.width(x), 0))),
            "fp.isInfinite" => ask(&|x, format| {
                let whole = if format == FloatFormat::Extended { format.precision() } else { format.precision() - 1 };
                let integer_bit = if format == FloatFormat::Extended { 1 << (whole - 1) } else { 0 };
                t.eq(magnitude(x), t.number(t.width(x), Bits::mask(format.exponent_bits()) << whole | integer_bit))
            }),
            "fp.isNegative" => ask(&|x, _| t.and(sign(x), t.not(is_nan(t, x)))),
            "fp.isPositive" => ask(&|x, _| t.and(t.not(sign(x)), t.not(is_nan(t, x)))),
            "fp.abs" => first.filter(|_| is_float).map(|x| Value::Float(magnitude(x))),
            "fp.neg" => {
                let flip = |x: Term| t.xor(x, t.number(t.width(x), 1 << (t.width(x) - 1)));
                first.filter(|_| is_float).map(|x| Value::Float(flip(x)))
            }
            "fp.to_ieee_bv" => first.filter(|_| is_float).and_then(|x| {
                let format = format?;
                let canonical = if makes_float(t.node(x).op) { x } else { t.ite(is_nan(t, x), t.number(format.width(), format.nan()), x) };
                Some(Value::Vector(if format == FloatFormat::Extended {
                    t.concat(t.extract(canonical, 79, 64), t.extract(canonical, 62, 0))
                } else {
                    canonical
                }))
            }),
            "fp.to_sbv" | "fp.to_ubv" => {
                let op = if name == "fp.to_sbv" { Op::FToSigned } else { Op::FToUnsigned };
                round.filter(|_| is_float).and_then(|round| checked(t, op, round, &head.numbers, &operands)).map(Value::Vector)
            }
            "fp" => {
                let &[s, e, m] = operands.as_slice() else { return Some(None) };
                let (exponent, precision) = (t.width(e), t.width(m) + 1);
                if t.width(s) != 1 || !valid_width(1 + exponent + precision) {
                    return Some(None);
                }
                self.pattern(t.concat(s, t.concat(e, m)), exponent, precision)
            }
            "to_fp" | "to_fp_unsigned" => {
                let &[exponent, precision] = head.numbers.as_slice() else { return Some(None) };
                let Ok(format) = self.format(head.at, exponent, precision) else { return None };
                match (round, is_float) {
                    (None, false) if name == "to_fp" => first.and_then(|bits| self.pattern(bits, exponent, precision)),
                    (Some(round), _) => {
                        let op = match (is_float, name) {
                            (true, _) => Op::FConvert,
                            (false, "to_fp") => Op::FFromSigned,
                            _ => Op::FFromUnsigned,
                        };
                        checked(t, op, round, &[format.width()], &operands).map(Value::Float)
                    }
                    _ => None,
                }
            }
            _ => return None,
        })
    }

    /// The float of an SMT-LIB bit pattern, which never has an integer bit.
    fn pattern(&self, bits: Term, exponent: u32, precision: u32) -> Option<Value> {
        let t = self.terms;
        let format = self.format(0, exponent, precision).ok()?;
        if t.sort(bits) != Sort::bv(exponent + precision) {
            return None;
        }
        if format != FloatFormat::Extended {
            return Some(Value::Float(bits));
        }
        let subnormal = t.eq(t.extract(bits, 77, 63), t.number(15, 0));
        let low = t.concat(t.not(subnormal), t.extract(bits, 62, 0));
        Some(Value::Float(t.concat(t.extract(bits, 78, 63), low)))
    }
}
