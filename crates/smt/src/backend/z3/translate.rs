//! Terms to Z3's expressions. Truth values become booleans, everything else bit-vectors and arrays; floats are
//! converted from and to their bit patterns around every operator.

use super::api::{Library, Object};
use assay_base::FastMap;
use assay_term::{FloatFormat, Node, Op, Round, Sort, Term, Terms};
use std::ffi::{CString, c_uint};

/// Expressions of one context, made once per term.
pub(super) struct Translator {
    library: Library,
    context: Object,
    memo: FastMap<Term, Object>,
}

impl Translator {
    pub(super) fn new(library: Library, context: Object) -> Self {
        Translator { library, context, memo: FastMap::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.memo.len()
    }

    /// The expression of a term, or what cannot be expressed.
    pub(super) fn expression(&mut self, terms: &Terms, root: Term) -> Result<Object, String> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            let node = terms.node(term);
            let waiting = stack.len();
            stack.extend(terms.children(&node).into_iter().filter(|c| !self.memo.contains_key(c)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let object = self.node(terms, &node)?;
            if object.is_null() {
                return Err(format!("{:?}", node.op));
            }
            self.memo.insert(term, object);
        }
        Ok(self.memo[&root])
    }

    fn sort(&self, sort: Sort) -> Object {
        let f = self.library.functions();
        // Safety: the context is alive as long as this translator.
        unsafe {
            if sort.is_array() {
                let index = (f.mk_bv_sort)(self.context, sort.index_width());
                (f.mk_array_sort)(self.context, index, (f.mk_bv_sort)(self.context, sort.width()))
            } else if sort.is_integer() {
                (f.mk_int_sort)(self.context)
            } else if sort.width() == 1 {
                (f.mk_bool_sort)(self.context)
            } else {
                (f.mk_bv_sort)(self.context, sort.width())
            }
        }
    }

    fn name(&self, name: &str) -> Result<Object, String> {
        let name = CString::new(name).map_err(|_| "a name with a zero byte".to_string())?;
        // Safety: Z3 copies the string.
        Ok(unsafe { (self.library.functions().mk_string_symbol)(self.context, name.as_ptr()) })
    }

    /// A bit-vector constant.
    pub(super) fn number(&self, width: u32, value: u128) -> Object {
        let f = self.library.functions();
        let digits = CString::new(value.to_string()).unwrap_or_default();
        // Safety: Z3 copies the string.
        unsafe { (f.mk_numeral)(self.context, digits.as_ptr(), (f.mk_bv_sort)(self.context, width)) }
    }

    fn integer(&self, value: i128) -> Object {
        let f = self.library.functions();
        let digits = CString::new(value.to_string()).unwrap_or_default();
        // Safety: Z3 copies the string.
        unsafe { (f.mk_numeral)(self.context, digits.as_ptr(), (f.mk_int_sort)(self.context)) }
    }

    /// A boolean as a bit-vector of width 1.
    fn bit(&self, truth: Object) -> Object {
        let (one, zero) = (self.number(1, 1), self.number(1, 0));
        // Safety: all objects belong to this context.
        unsafe { (self.library.functions().mk_ite)(self.context, truth, one, zero) }
    }

    fn truth(&self, bit: Object) -> Object {
        let one = self.number(1, 1);
        // Safety: as above.
        unsafe { (self.library.functions().mk_eq)(self.context, bit, one) }
    }

    /// An operand as a bit-vector, whatever its width.
    fn vector(&self, terms: &Terms, term: Term) -> Object {
        let object = self.memo[&term];
        if terms.sort(term) == Sort::BOOL { self.bit(object) } else { object }
    }

    fn node(&self, terms: &Terms, node: &Node) -> Result<Object, String> {
        let f = self.library.functions();
        let c = self.context;
        let width = node.width();
        let is_truth = node.sort == Sort::BOOL;
        if node.op.is_float() {
            return self.float(terms, node);
        }
        let raw = |i: usize| self.memo[&node.operand(i)];
        let vector = |i: usize| self.vector(terms, node.operand(i));
        // Safety (this block): every object was made in this context and is well-sorted, because terms are.
        unsafe {
            Ok(match node.op {
                Op::Const if is_truth => {
                    if node.constant() == 1 {
                        (f.mk_true)(c)
                    } else {
                        (f.mk_false)(c)
                    }
                }
                Op::Const if node.sort.is_integer() => self.integer(node.constant() as i128),
                Op::Const => self.number(width, node.constant()),
                Op::IntegerAdd => (f.mk_add)(c, 2, [raw(0), raw(1)].as_ptr()),
                Op::IntegerMul => (f.mk_mul)(c, 2, [raw(0), raw(1)].as_ptr()),
                Op::IntegerNeg => (f.mk_unary_minus)(c, raw(0)),
                Op::IntegerDiv => (f.mk_div)(c, raw(0), raw(1)),
                Op::IntegerMod => (f.mk_mod)(c, raw(0), raw(1)),
                Op::IntegerLess => (f.mk_lt)(c, raw(0), raw(1)),
                Op::IntegerOfUnsigned => (f.mk_bv2int)(c, vector(0), false),
                Op::IntegerOfSigned => (f.mk_bv2int)(c, vector(0), true),
                Op::IntegerToBits => self.fit(is_truth, (f.mk_int2bv)(c, width, raw(0))),
                Op::Symbol => (f.mk_const)(c, self.name(terms.symbol_name(node.symbol()))?, self.sort(node.sort)),
                Op::Address => {
                    let name = self.name(&format!("&{}", terms.symbol_name(node.symbol())))?;
                    (f.mk_const)(c, name, self.sort(node.sort))
                }
                Op::Apply => {
                    let arguments = terms.arguments(node);
                    let sorts: Vec<Object> = arguments.iter().map(|&a| self.sort(terms.sort(a))).collect();
                    let values: Vec<Object> = arguments.iter().map(|a| self.memo[a]).collect();
                    let name = self.name(terms.symbol_name(node.symbol()))?;
                    let count = values.len() as c_uint;
                    let function = (f.mk_func_decl)(c, name, count, sorts.as_ptr(), self.sort(node.sort));
                    (f.mk_app)(c, function, count, values.as_ptr())
                }
                Op::Not if is_truth => (f.mk_not)(c, raw(0)),
                Op::And if is_truth => (f.mk_and)(c, 2, [raw(0), raw(1)].as_ptr()),
                Op::Or if is_truth => (f.mk_or)(c, 2, [raw(0), raw(1)].as_ptr()),
                Op::Xor if is_truth => (f.mk_xor)(c, raw(0), raw(1)),
                Op::Eq => (f.mk_eq)(c, raw(0), raw(1)),
                Op::Ite => (f.mk_ite)(c, raw(0), raw(1), raw(2)),
                Op::UnsignedLess => (f.mk_bvult)(c, vector(0), vector(1)),
                Op::SignedLess => (f.mk_bvslt)(c, vector(0), vector(1)),
                Op::Select => self.fit(is_truth, (f.mk_select)(c, raw(0), vector(1))),
                Op::Store => (f.mk_store)(c, raw(0), vector(1), vector(2)),
                Op::ConstArray => (f.mk_const_array)(c, (f.mk_bv_sort)(c, node.sort.index_width()), vector(0)),
                Op::Concat => (f.mk_concat)(c, vector(0), vector(1)),
                Op::Extract => self.fit(is_truth, (f.mk_extract)(c, node.high(), node.low(), vector(0))),
                Op::ZeroExtend => (f.mk_zero_ext)(c, width - terms.width(node.operand(0)), vector(0)),
                Op::SignExtend => (f.mk_sign_ext)(c, width - terms.width(node.operand(0)), vector(0)),
                Op::Not => (f.mk_bvnot)(c, vector(0)),
                Op::Neg => self.fit(is_truth, (f.mk_bvneg)(c, vector(0))),
                op => {
                    let make = match op {
                        Op::And => f.mk_bvand,
                        Op::Or => f.mk_bvor,
                        Op::Xor => f.mk_bvxor,
                        Op::Add => f.mk_bvadd,
                        Op::Mul => f.mk_bvmul,
                        Op::UnsignedDiv => f.mk_bvudiv,
                        Op::SignedDiv => f.mk_bvsdiv,
                        Op::UnsignedRem => f.mk_bvurem,
                        Op::SignedRem => f.mk_bvsrem,
                        Op::ShiftLeft => f.mk_bvshl,
                        Op::ShiftRight => f.mk_bvlshr,
                        Op::ShiftRightSigned => f.mk_bvashr,
                        _ => return Err(format!("{op:?}")),
                    };
                    self.fit(is_truth, make(c, vector(0), vector(1)))
                }
            })
        }
    }

    fn fit(&self, is_truth: bool, vector: Object) -> Object {
        if is_truth { self.truth(vector) } else { vector }
    }

    fn format(width: u32) -> Result<FloatFormat, String> {
        FloatFormat::of_width(width).ok_or_else(|| format!("floats of {width} bits"))
    }

    fn float_sort(&self, format: FloatFormat) -> Object {
        // Safety: the context is alive.
        unsafe { (self.library.functions().mk_fpa_sort)(self.context, format.exponent_bits(), format.precision()) }
    }

    /// A bit pattern as a float. The x87 format's integer bit is taken out; patterns that need another one are NaN.
    fn float_of(&self, format: FloatFormat, pattern: Object) -> Object {
        let f = self.library.functions();
        let c = self.context;
        let sort = self.float_sort(format);
        // Safety: all objects belong to this context and fit.
        unsafe {
            if format != FloatFormat::Extended {
                return (f.mk_fpa_to_fp_bv)(c, pattern, sort);
            }
            let integer = (f.mk_eq)(c, (f.mk_extract)(c, 63, 63, pattern), self.number(1, 1));
            let exponent = (f.mk_extract)(c, 78, 64, pattern);
            let denormal = (f.mk_eq)(c, exponent, self.number(15, 0));
            let pseudo = (f.mk_and)(c, 2, [denormal, integer].as_ptr());
            let exponent = (f.mk_ite)(c, pseudo, self.number(15, 1), exponent);
            let high = (f.mk_concat)(c, (f.mk_extract)(c, 79, 79, pattern), exponent);
            let compact = (f.mk_concat)(c, high, (f.mk_extract)(c, 62, 0, pattern));
            let broken = (f.mk_and)(c, 2, [(f.mk_not)(c, denormal), (f.mk_not)(c, integer)].as_ptr());
            let nan = self.number(79, 0x7FFF << 63 | 1 << 62);
            (f.mk_fpa_to_fp_bv)(c, (f.mk_ite)(c, broken, nan, compact), sort)
        }
    }

    /// A float as a bit pattern, with the one NaN of the house.
    fn pattern_of(&self, format: FloatFormat, float: Object) -> Object {
        let f = self.library.functions();
        let c = self.context;
        // Safety: all objects belong to this context and fit.
        unsafe {
            let mut pattern = (f.mk_fpa_to_ieee_bv)(c, float);
            if format == FloatFormat::Extended {
                let exponent = (f.mk_extract)(c, 77, 63, pattern);
                let denormal = (f.mk_eq)(c, exponent, self.number(15, 0));
                let integer = (f.mk_ite)(c, denormal, self.number(1, 0), self.number(1, 1));
                let high = (f.mk_concat)(c, (f.mk_extract)(c, 78, 63, pattern), integer);
                pattern = (f.mk_concat)(c, high, (f.mk_extract)(c, 62, 0, pattern));
            }
            (f.mk_ite)(c, (f.mk_fpa_is_nan)(c, float), self.number(format.width(), format.nan()), pattern)
        }
    }

    fn rounding(&self, round: Round) -> Object {
        let f = self.library.functions();
        // Safety: the context is alive.
        unsafe {
            match round {
                Round::NearestEven => (f.mk_fpa_rne)(self.context),
                Round::NearestAway => (f.mk_fpa_rna)(self.context),
                Round::TowardPositive => (f.mk_fpa_rtp)(self.context),
                Round::TowardNegative => (f.mk_fpa_rtn)(self.context),
                Round::TowardZero => (f.mk_fpa_rtz)(self.context),
            }
        }
    }

    fn float(&self, terms: &Terms, node: &Node) -> Result<Object, String> {
        let f = self.library.functions();
        let c = self.context;
        let round = self.rounding(node.round);
        let source = terms.width(node.operand(0));
        let operand =
            |i: usize| -> Result<Object, String> { made(self.float_of(Self::format(source)?, self.vector(terms, node.operand(i)))) };
        // Safety (this block): every object was made in this context and fits.
        unsafe {
            let float = match node.op {
                Op::FEq => return Ok((f.mk_fpa_eq)(c, operand(0)?, operand(1)?)),
                Op::FLess => return Ok((f.mk_fpa_lt)(c, operand(0)?, operand(1)?)),
                Op::FLessEq => return Ok((f.mk_fpa_leq)(c, operand(0)?, operand(1)?)),
                Op::FToSigned | Op::FToUnsigned => return self.to_integer(node, Self::format(source)?, operand(0)?),
                Op::FAdd => (f.mk_fpa_add)(c, round, operand(0)?, operand(1)?),
                Op::FSub => (f.mk_fpa_sub)(c, round, operand(0)?, operand(1)?),
                Op::FMul => (f.mk_fpa_mul)(c, round, operand(0)?, operand(1)?),
                Op::FDiv => (f.mk_fpa_div)(c, round, operand(0)?, operand(1)?),
                Op::FSqrt => (f.mk_fpa_sqrt)(c, round, operand(0)?),
                Op::FRoundToIntegral => (f.mk_fpa_round_to_integral)(c, round, operand(0)?),
                Op::FConvert => (f.mk_fpa_to_fp_float)(c, round, operand(0)?, self.float_sort(Self::format(node.width())?)),
                Op::FFromSigned | Op::FFromUnsigned => {
                    let make = if node.op == Op::FFromSigned { f.mk_fpa_to_fp_signed } else { f.mk_fpa_to_fp_unsigned };
                    make(c, round, self.vector(terms, node.operand(0)), self.float_sort(Self::format(node.width())?))
                }
                // Its remainder is IEEE's, not C's.
                op => return Err(format!("{op:?}")),
            };
            Ok(self.pattern_of(Self::format(node.width())?, made(float)?))
        }
    }

    /// Z3 leaves conversions out of range open; ours have a value.
    fn to_integer(&self, node: &Node, format: FloatFormat, float: Object) -> Result<Object, String> {
        let f = self.library.functions();
        let c = self.context;
        let width = node.width();
        let signed = node.op == Op::FToSigned;
        let round = self.rounding(node.round);
        // Powers of two, or infinity where the format has none so large.
        let power = |exponent: u32, negative: bool| {
            let stored = format.precision() - 1 + (format == FloatFormat::Extended) as u32;
            let biased = (exponent as i64 + format.bias() as i64).min((1 << format.exponent_bits()) - 1) as u128;
            let integer = if format == FloatFormat::Extended { 1u128 << 63 } else { 0 };
            let sign = if negative { 1u128 << (format.width() - 1) } else { 0 };
            self.float_of(format, self.number(format.width(), sign | biased << stored | integer))
        };
        // Safety (this block): every object was made in this context and fits.
        unsafe {
            let rounded = (f.mk_fpa_round_to_integral)(c, round, float);
            let zero = self.float_of(format, self.number(format.width(), 0));
            let above = if signed { (f.mk_fpa_leq)(c, power(width - 1, true), rounded) } else { (f.mk_fpa_leq)(c, zero, rounded) };
            let below = (f.mk_fpa_lt)(c, rounded, power(if signed { width - 1 } else { width }, false));
            // An infinite bound must not let infinity itself pass.
            let infinity = power(1 << 20, false);
            let minus_infinity = power(1 << 20, true);
            let finite_above = (f.mk_fpa_lt)(c, minus_infinity, rounded);
            let finite_below = (f.mk_fpa_lt)(c, rounded, infinity);
            let fits = (f.mk_and)(c, 4, [above, below, finite_above, finite_below].as_ptr());
            let value = if signed { (f.mk_fpa_to_sbv)(c, round, float, width) } else { (f.mk_fpa_to_ubv)(c, round, float, width) };
            let other = if signed { self.number(width, 1 << (width - 1)) } else { self.number(width, assay_term::Bits::mask(width)) };
            Ok(self.fit(width == 1, (f.mk_ite)(c, fits, value, other)))
        }
    }
}

/// Z3 hands out a null pointer where it could not make something; it must not get it back.
fn made(object: Object) -> Result<Object, String> {
    if object.is_null() { Err("what Z3 could not make".into()) } else { Ok(object) }
}
