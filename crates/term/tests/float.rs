//! Float operators against the processor's own: SSE for single and double, x87 for the extended format, in the
//! four rounding modes that it has; rounding to nearest away from zero by exact reasoning in a wider format.
//!
//! `cargo test -p assay-term --release --test float -- --ignored` runs the large count.
#![cfg(target_arch = "x86_64")]

use assay_term::random::Random;
use assay_term::{Bits, FloatFormat, Node, Op, Round, Sort, float};
use std::arch::asm;

fn compute(op: Op, round: Round, width: u32, operands: &[Bits]) -> Bits {
    let node = Node { op, round, shape: assay_term::Shape::new(0, false), sort: Sort::bv(width), a: 0, b: 0, c: 0, d: 0, fingerprint: 0 };
    float::apply(&node, operands).expect("a float operator has a value")
}

const HARDWARE: [(Round, u32); 4] =
    [(Round::NearestEven, 0), (Round::TowardNegative, 1), (Round::TowardPositive, 2), (Round::TowardZero, 3)];

/// All exceptions masked, rounding control in bits 13 and 14.
fn mxcsr(mode: u32) -> u32 {
    0x1F80 | mode << 13
}

macro_rules! sse {
    ($name:ident, $type:ty, $load:literal, $($instruction:literal => $op:path),*) => {
        /// Computes in the processor with a rounding mode; the mode is set and restored around the instruction.
        fn $name(op: Op, mode: u32, a: $type, b: $type) -> $type {
            let mut result = a;
            let (new, old) = (mxcsr(mode), mxcsr(0));
            match op {
                $($op => unsafe {
                    asm!(
                        "ldmxcsr dword ptr [{new}]",
                        concat!($load, " xmm0, [{a}]"),
                        concat!($load, " xmm1, [{b}]"),
                        concat!($instruction, " xmm0, xmm1"),
                        concat!($load, " [{a}], xmm0"),
                        "ldmxcsr dword ptr [{old}]",
                        new = in(reg) &new, old = in(reg) &old, a = in(reg) &mut result, b = in(reg) &b,
                        out("xmm0") _, out("xmm1") _,
                    )
                },)*
                _ => unreachable!("no such instruction"),
            }
            result
        }
    };
}
sse!(single, f32, "movss", "addss" => Op::FAdd, "subss" => Op::FSub, "mulss" => Op::FMul, "divss" => Op::FDiv, "sqrtss" => Op::FSqrt);
sse!(double, f64, "movsd", "addsd" => Op::FAdd, "subsd" => Op::FSub, "mulsd" => Op::FMul, "divsd" => Op::FDiv, "sqrtsd" => Op::FSqrt);

macro_rules! x87 {
    ($name:ident, $($before:literal),* ; $($after:literal),*) => {
        /// Runs x87 instructions between loads and stores, with extended precision and a rounding mode.
        fn $name(mode: u32, a: &mut [u8; 16], b: &[u8; 16], r: &mut [u8; 16]) {
            let (new, old) = (0x037Fu16 | (mode as u16) << 10, 0x037Fu16);
            unsafe {
                asm!(
                    "fldcw word ptr [{new}]",
                    $($before,)*
                    $($after,)*
                    "fldcw word ptr [{old}]",
                    new = in(reg) &new, old = in(reg) &old, a = in(reg) a, b = in(reg) b, r = in(reg) r,
                    out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                    out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _, out("eax") _,
                )
            }
        }
    };
}
x87!(x87_add, "fld tbyte ptr [{a}]", "fld tbyte ptr [{b}]"; "faddp", "fstp tbyte ptr [{r}]");
x87!(x87_sub, "fld tbyte ptr [{a}]", "fld tbyte ptr [{b}]"; "fsubp", "fstp tbyte ptr [{r}]");
x87!(x87_mul, "fld tbyte ptr [{a}]", "fld tbyte ptr [{b}]"; "fmulp", "fstp tbyte ptr [{r}]");
x87!(x87_div, "fld tbyte ptr [{a}]", "fld tbyte ptr [{b}]"; "fdivp", "fstp tbyte ptr [{r}]");
x87!(x87_sqrt, "fld tbyte ptr [{a}]"; "fsqrt", "fstp tbyte ptr [{r}]", "/* {b} */");
x87!(x87_round, "fld tbyte ptr [{a}]"; "frndint", "fstp tbyte ptr [{r}]", "/* {b} */");
x87!(x87_rem, "fld tbyte ptr [{b}]", "fld tbyte ptr [{a}]"; "2: fprem", "fnstsw ax", "test ax, 0x400", "jnz 2b", "fstp tbyte ptr [{r}]", "fstp st(0)");
x87!(x87_to_single, "fld tbyte ptr [{a}]"; "fstp dword ptr [{r}]", "/* {b} */");
x87!(x87_to_double, "fld tbyte ptr [{a}]"; "fstp qword ptr [{r}]", "/* {b} */");
x87!(x87_to_i64, "fld tbyte ptr [{a}]"; "fistp qword ptr [{r}]", "/* {b} */");
x87!(x87_from_single, "fld dword ptr [{a}]"; "fstp tbyte ptr [{r}]", "/* {b} */");
x87!(x87_from_double, "fld qword ptr [{a}]"; "fstp tbyte ptr [{r}]", "/* {b} */");
x87!(x87_from_i64, "fild qword ptr [{a}]"; "fstp tbyte ptr [{r}]", "/* {b} */");
x87!(x87_i64_to_double, "fild qword ptr [{a}]"; "fstp qword ptr [{r}]", "/* {b} */");
x87!(x87_i64_to_single, "fild qword ptr [{a}]"; "fstp dword ptr [{r}]", "/* {b} */");

type X87 = fn(u32, &mut [u8; 16], &[u8; 16], &mut [u8; 16]);

fn run_x87(function: X87, mode: u32, a: Bits, b: Bits, width: u32) -> Bits {
    let mut result = [0; 16];
    function(mode, &mut a.value().to_le_bytes(), &b.value().to_le_bytes(), &mut result);
    Bits::new(width, u128::from_le_bytes(result))
}

fn is_nan(bits: Bits) -> bool {
    compute(Op::FEq, Round::NearestEven, 1, &[bits, bits]) == Bits::FALSE
}

/// Both results are the same, or both are no number (the processor's has another pattern than ours).
fn check(what: &str, ours: Bits, hardware: Bits, float: bool, inputs: &[Bits]) {
    if float && is_nan(hardware) {
        let format = FloatFormat::of_width(ours.width()).expect("a float width");
        assert_eq!(ours.value(), format.nan(), "{what} of {inputs:x?}: a number where the processor has none");
        return;
    }
    assert_eq!(ours, hardware, "{what} of {inputs:?}");
}

fn sse_arithmetic(count: usize) {
    let mut random = Random::new(7);
    let from32 = |v: f32| Bits::new(32, v.to_bits() as u128);
    let from64 = |v: f64| Bits::new(64, v.to_bits() as u128);
    for _ in 0..count {
        let (a, b) = (random.float(FloatFormat::Single), random.float(FloatFormat::Single));
        let (x, y) = (f32::from_bits(a.value() as u32), f32::from_bits(b.value() as u32));
        let (c, d) = (random.float(FloatFormat::Double), random.float(FloatFormat::Double));
        let (u, v) = (f64::from_bits(c.value() as u64), f64::from_bits(d.value() as u64));
        for (round, mode) in HARDWARE {
            for op in [Op::FAdd, Op::FSub, Op::FMul, Op::FDiv] {
                check(&format!("{op:?} {round:?}"), compute(op, round, 32, &[a, b]), from32(single(op, mode, x, y)), true, &[a, b]);
                check(&format!("{op:?} {round:?}"), compute(op, round, 64, &[c, d]), from64(double(op, mode, u, v)), true, &[c, d]);
            }
            // The instruction takes its operand from the second place.
            check("sqrt", compute(Op::FSqrt, round, 32, &[a]), from32(single(Op::FSqrt, mode, x, x)), true, &[a]);
            check("sqrt", compute(Op::FSqrt, round, 64, &[c]), from64(double(Op::FSqrt, mode, u, u)), true, &[c]);
        }
        let near = Round::NearestEven;
        check("fmod", compute(Op::FRem, near, 32, &[a, b]), from32(x % y), true, &[a, b]);
        check("fmod", compute(Op::FRem, near, 64, &[c, d]), from64(u % v), true, &[c, d]);
        check("eq", compute(Op::FEq, near, 1, &[a, b]), Bits::from_bool(x == y), false, &[a, b]);
        check("less", compute(Op::FLess, near, 1, &[c, d]), Bits::from_bool(u < v), false, &[c, d]);
        check("less or equal", compute(Op::FLessEq, near, 1, &[c, d]), Bits::from_bool(u <= v), false, &[c, d]);
        check("widen", compute(Op::FConvert, near, 64, &[a]), from64(x as f64), true, &[a]);
        check("narrow", compute(Op::FConvert, near, 32, &[c]), from32(u as f32), true, &[c]);
        conversions(&mut random, c, u);
    }
}

fn conversions(random: &mut Random, c: Bits, u: f64) {
    let near = Round::NearestEven;
    let integer = random.bits(64);
    let (signed, unsigned) = (integer.signed() as i64, integer.value() as u64);
    let wide = random.bits(128);
    let to64 = |v: f64| Bits::new(64, v.to_bits() as u128);
    let to32 = |v: f32| Bits::new(32, v.to_bits() as u128);
    check("from i64", compute(Op::FFromSigned, near, 64, &[integer]), to64(signed as f64), true, &[integer]);
    check("from i64", compute(Op::FFromSigned, near, 32, &[integer]), to32(signed as f32), true, &[integer]);
    check("from u64", compute(Op::FFromUnsigned, near, 64, &[integer]), to64(unsigned as f64), true, &[integer]);
    check("from u64", compute(Op::FFromUnsigned, near, 32, &[integer]), to32(unsigned as f32), true, &[integer]);
    check("from i128", compute(Op::FFromSigned, near, 64, &[wide]), to64(wide.signed() as f64), true, &[wide]);
    check("from u128", compute(Op::FFromUnsigned, near, 32, &[wide]), to32(wide.value() as f32), true, &[wide]);
    // Rust's casts saturate; ours give the smallest signed value or all ones where there is no integer.
    let truncated = u.trunc();
    for (width, low, high) in [(32u32, -(2f64.powi(31)), 2f64.powi(31)), (64, -(2f64.powi(63)), 2f64.powi(63))] {
        let expected = if truncated >= low && truncated < high { u as i64 as u128 } else { 1 << (width - 1) };
        let ours = compute(Op::FToSigned, Round::TowardZero, width, &[c]);
        check("to signed", ours, Bits::new(width, expected), false, &[c]);
        let expected = if truncated > -1.0 && truncated < high * 2.0 { u as u64 as u128 } else { u128::MAX };
        let ours = compute(Op::FToUnsigned, Round::TowardZero, width, &[c]);
        check("to unsigned", ours, Bits::new(width, expected), false, &[c]);
    }
    for (round, expected) in [
        (Round::NearestEven, u.round_ties_even()),
        (Round::NearestAway, u.round()),
        (Round::TowardPositive, u.ceil()),
        (Round::TowardNegative, u.floor()),
        (Round::TowardZero, u.trunc()),
    ] {
        check("round to integral", compute(Op::FRoundToIntegral, round, 64, &[c]), to64(expected), true, &[c]);
        let fits = expected >= -(2f64.powi(63)) && expected < 2f64.powi(63);
        let integer = if fits { expected as i64 as u128 } else { 1 << 63 };
        check("to signed, rounded", compute(Op::FToSigned, round, 64, &[c]), Bits::new(64, integer), false, &[c]);
    }
}

fn x87_arithmetic(count: usize) {
    let mut random = Random::new(8);
    let binary: [(Op, X87); 4] = [(Op::FAdd, x87_add), (Op::FSub, x87_sub), (Op::FMul, x87_mul), (Op::FDiv, x87_div)];
    let unary: [(Op, X87); 2] = [(Op::FSqrt, x87_sqrt), (Op::FRoundToIntegral, x87_round)];
    for _ in 0..count {
        let (a, b) = (random.float(FloatFormat::Extended), random.float(FloatFormat::Extended));
        let (s, d) = (random.float(FloatFormat::Single), random.float(FloatFormat::Double));
        let integer = random.bits(64);
        for (round, mode) in HARDWARE {
            let what = |op: Op| format!("x87 {op:?} {round:?}");
            for (op, function) in binary {
                check(&what(op), compute(op, round, 80, &[a, b]), run_x87(function, mode, a, b, 80), true, &[a, b]);
            }
            for (op, function) in unary {
                check(&what(op), compute(op, round, 80, &[a]), run_x87(function, mode, a, a, 80), true, &[a]);
            }
            let conversions: [(Op, u32, X87, Bits); 8] = [
                (Op::FConvert, 32, x87_to_single, a),
                (Op::FConvert, 64, x87_to_double, a),
                (Op::FToSigned, 64, x87_to_i64, a),
                (Op::FConvert, 80, x87_from_single, s),
                (Op::FConvert, 80, x87_from_double, d),
                (Op::FFromSigned, 80, x87_from_i64, integer),
                (Op::FFromSigned, 64, x87_i64_to_double, integer),
                (Op::FFromSigned, 32, x87_i64_to_single, integer),
            ];
            for (op, width, function, operand) in conversions {
                let expected = run_x87(function, mode, operand, operand, width);
                check(&what(op), compute(op, round, width, &[operand]), expected, op != Op::FToSigned, &[operand]);
            }
        }
        check("x87 fmod", compute(Op::FRem, Round::NearestEven, 80, &[a, b]), run_x87(x87_rem, 0, a, b, 80), true, &[a, b]);
    }
}

/// Rounding to nearest, ties away from zero: of the neighbours below and above, the nearer one. The exact sum and
/// product of half-precision numbers, and of a divisor with a midpoint, fit the quad format.
fn nearest_away(count: usize) {
    let mut random = Random::new(9);
    let near = Round::NearestEven;
    let quad = |op: Op, a: Bits, b: Bits| compute(op, near, 128, &[a, b]);
    let widen = |a: Bits| compute(Op::FConvert, near, 128, &[a]);
    let zero = Bits::new(128, 0);
    let less = |a: Bits, b: Bits| compute(Op::FLess, near, 1, &[a, b]).is_true();
    for _ in 0..count {
        let (a, b) = (random.float(FloatFormat::Half), random.float(FloatFormat::Half));
        for op in [Op::FAdd, Op::FSub, Op::FMul, Op::FDiv] {
            let below = widen(compute(op, Round::TowardNegative, 16, &[a, b]));
            let above = widen(compute(op, Round::TowardPositive, 16, &[a, b]));
            let found = widen(compute(op, Round::NearestAway, 16, &[a, b]));
            let infinity = Bits::new(128, 0x7FFF << 112);
            let magnitude = |v: Bits| Bits::new(128, v.value() & Bits::mask(127));
            if is_nan(below) || magnitude(below) == infinity || magnitude(above) == infinity {
                continue;
            }
            // Twice the distance from the sum of the neighbours: positive where the value is nearer to `above`.
            let sum = quad(Op::FAdd, below, above);
            let (wide_a, wide_b) = (widen(a), widen(b));
            let difference = if op == Op::FDiv {
                // a / b against sum / 2: compare 2 * a with sum * b, turned around where b is negative.
                let d = quad(Op::FSub, quad(Op::FAdd, wide_a, wide_a), quad(Op::FMul, sum, wide_b));
                if less(wide_b, zero) { quad(Op::FSub, zero, d) } else { d }
            } else {
                let exact = quad(op, wide_a, wide_b);
                quad(Op::FSub, quad(Op::FAdd, exact, exact), sum)
            };
            let tie = !less(zero, difference) && !less(difference, zero);
            let upwards = if tie { !less(sum, zero) } else { less(zero, difference) };
            let expected = if upwards { above } else { below };
            let same = compute(Op::FEq, near, 1, &[found, expected]).is_true();
            assert!(same, "{op:?} of {a:?} and {b:?}: {found:?} instead of {expected:?}");
        }
    }
}

#[test]
fn single_and_double_agree_with_the_processor() {
    sse_arithmetic(20_000);
}

#[test]
fn extended_agrees_with_the_processor() {
    x87_arithmetic(20_000);
}

#[test]
fn nearest_away_is_exact() {
    nearest_away(20_000);
}

#[test]
#[ignore = "the large count, on demand"]
fn large_count() {
    sse_arithmetic(500_000);
    x87_arithmetic(100_000);
    nearest_away(500_000);
}
