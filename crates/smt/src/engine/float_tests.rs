//! Float circuits against the processor: each circuit is built once over free inputs, as a query would have it, and
//! simulated on many operands at a time, one in each bit of a machine word.
//!
//! `ASSAY_NIGHTLY=250 cargo test --release -p assay-smt --lib float_circuits -- --nocapture` runs 10 million random
//! operands an operation and format; the special ones are all there in any size.
#![cfg(target_arch = "x86_64")]

use super::circuit::{Circuit, GateKind};
use super::lit::Lit;
use super::operators;
use assay_term::random::Random;
use assay_term::{FloatFormat, Node, Op, Round, Sort};
use std::arch::asm;

/// So many words of lanes are simulated at once.
const WORDS: usize = 4;
const LANES: usize = 64 * WORDS;
type Plane = [u64; WORDS];

const MODES: [(Round, u32); 4] = [(Round::NearestEven, 0), (Round::TowardNegative, 1), (Round::TowardPositive, 2), (Round::TowardZero, 3)];

type Hardware = fn(u32, u64, u64) -> u64;

macro_rules! hardware {
    ($($name:ident: $($line:literal),*;)*) => {
        $(
            /// Computes in the processor with a rounding mode, which is set and restored around the instructions.
            fn $name(mode: u32, a: u64, b: u64) -> u64 {
                let (new, old) = (0x1F80u32 | mode << 13, 0x1F80u32);
                let mut r = 0u64;
                // Safety: the instructions read the operands and write the result where they lie, and the mode is
                // restored.
                unsafe {
                    asm!(
                        "ldmxcsr dword ptr [{new}]",
                        $($line,)*
                        "ldmxcsr dword ptr [{old}]",
                        "/* {b} */",
                        new = in(reg) &new, old = in(reg) &old, a = in(reg) &a, b = in(reg) &b, r = in(reg) &mut r,
                        out("xmm0") _, out("xmm1") _, out("rax") _,
                    )
                }
                r
            }
        )*
    };
}
hardware! {
    add32: "movss xmm0, dword ptr [{a}]", "addss xmm0, dword ptr [{b}]", "movss dword ptr [{r}], xmm0";
    sub32: "movss xmm0, dword ptr [{a}]", "subss xmm0, dword ptr [{b}]", "movss dword ptr [{r}], xmm0";
    mul32: "movss xmm0, dword ptr [{a}]", "mulss xmm0, dword ptr [{b}]", "movss dword ptr [{r}], xmm0";
    div32: "movss xmm0, dword ptr [{a}]", "divss xmm0, dword ptr [{b}]", "movss dword ptr [{r}], xmm0";
    sqrt32: "movss xmm1, dword ptr [{a}]", "sqrtss xmm0, xmm1", "movss dword ptr [{r}], xmm0";
    round32: "movss xmm1, dword ptr [{a}]", "roundss xmm0, xmm1, 4", "movss dword ptr [{r}], xmm0";
    add64: "movsd xmm0, qword ptr [{a}]", "addsd xmm0, qword ptr [{b}]", "movsd qword ptr [{r}], xmm0";
    sub64: "movsd xmm0, qword ptr [{a}]", "subsd xmm0, qword ptr [{b}]", "movsd qword ptr [{r}], xmm0";
    mul64: "movsd xmm0, qword ptr [{a}]", "mulsd xmm0, qword ptr [{b}]", "movsd qword ptr [{r}], xmm0";
    div64: "movsd xmm0, qword ptr [{a}]", "divsd xmm0, qword ptr [{b}]", "movsd qword ptr [{r}], xmm0";
    sqrt64: "movsd xmm1, qword ptr [{a}]", "sqrtsd xmm0, xmm1", "movsd qword ptr [{r}], xmm0";
    round64: "movsd xmm1, qword ptr [{a}]", "roundsd xmm0, xmm1, 4", "movsd qword ptr [{r}], xmm0";
    widen: "movss xmm1, dword ptr [{a}]", "cvtss2sd xmm0, xmm1", "movsd qword ptr [{r}], xmm0";
    narrow: "movsd xmm1, qword ptr [{a}]", "cvtsd2ss xmm0, xmm1", "movss dword ptr [{r}], xmm0";
    from_i64_32: "cvtsi2ss xmm0, qword ptr [{a}]", "movss dword ptr [{r}], xmm0";
    from_i64_64: "cvtsi2sd xmm0, qword ptr [{a}]", "movsd qword ptr [{r}], xmm0";
    to_i64_32: "movss xmm1, dword ptr [{a}]", "cvtss2si rax, xmm1", "mov qword ptr [{r}], rax";
    to_i64_64: "movsd xmm1, qword ptr [{a}]", "cvtsd2si rax, xmm1", "mov qword ptr [{r}], rax";
    to_i32_32: "movss xmm1, dword ptr [{a}]", "cvtss2si eax, xmm1", "mov dword ptr [{r}], eax";
    to_i32_64: "movsd xmm1, qword ptr [{a}]", "cvtsd2si eax, xmm1", "mov dword ptr [{r}], eax";
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}
fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// What an operand is drawn from.
#[derive(Clone, Copy, PartialEq)]
enum Operand {
    Float(FloatFormat),
    Integer,
}

impl Operand {
    fn width(self) -> u32 {
        match self {
            Operand::Float(format) => format.width(),
            Operand::Integer => 64,
        }
    }
    fn random(self, random: &mut Random) -> u64 {
        match self {
            Operand::Float(format) => random.float(format).value() as u64,
            Operand::Integer => random.bits(64).value() as u64,
        }
    }
    /// Zeros, ones, infinities, no numbers, the ends of every range, and neighbours of all of them.
    fn special(self) -> Vec<u64> {
        let Operand::Float(format) = self else {
            let ends = [0, 1, 1 << 23, 1 << 24, 1 << 31, 1 << 32, 1 << 52, 1 << 53, 1 << 62, 1u64 << 63];
            return ends.iter().flat_map(|&e| [e, e.wrapping_sub(1), e.wrapping_add(1), e.wrapping_neg()]).collect();
        };
        let (width, stored) = (format.width(), format.precision() - 1);
        let exponents = (1u64 << format.exponent_bits()) - 1;
        let bias = format.bias() as u64;
        let powers = [0, 1, 2, bias - 2, bias - 1, bias, bias + 1, bias + 30, bias + 31, bias + 32, bias + 62, bias + 63, bias + 64];
        let mut list = Vec::new();
        for exponent in powers.into_iter().chain([bias + u64::from(stored), exponents - 1, exponents]) {
            let start = exponent << stored;
            let fractions = [0, 1, 2, (1 << stored) - 1, (1 << stored) - 2, 1 << (stored - 1), (1 << (stored - 1)) + 1];
            list.extend(fractions.iter().map(|fraction| start | fraction));
        }
        list.iter().flat_map(|&bits| [bits, bits | 1 << (width - 1)]).collect()
    }
}

struct Operation {
    op: Op,
    operand: Operand,
    arity: usize,
    result: u32,
    /// Whether the result is a float, of which no number is like every other no number.
    float: bool,
    hardware: Hardware,
    /// Whether it rounds.
    rounds: bool,
}

fn operations() -> Vec<Operation> {
    let mut list = Vec::new();
    let hardware: [(FloatFormat, [Hardware; 6]); 2] = [
        (FloatFormat::Single, [add32, sub32, mul32, div32, sqrt32, round32]),
        (FloatFormat::Double, [add64, sub64, mul64, div64, sqrt64, round64]),
    ];
    let ops = [Op::FAdd, Op::FSub, Op::FMul, Op::FDiv, Op::FSqrt, Op::FRoundToIntegral];
    for (format, functions) in hardware {
        let (operand, result) = (Operand::Float(format), format.width());
        for (op, hardware) in ops.into_iter().zip(functions) {
            list.push(Operation { op, operand, arity: op.arity(), result, float: true, hardware, rounds: true });
        }
        let is_single = format == FloatFormat::Single;
        let comparisons: [(Op, Hardware); 3] = if is_single {
            [
                (Op::FEq, |_, a, b| u64::from(single(a) == single(b))),
                (Op::FLess, |_, a, b| u64::from(single(a) < single(b))),
                (Op::FLessEq, |_, a, b| u64::from(single(a) <= single(b))),
            ]
        } else {
            [
                (Op::FEq, |_, a, b| u64::from(double(a) == double(b))),
                (Op::FLess, |_, a, b| u64::from(double(a) < double(b))),
                (Op::FLessEq, |_, a, b| u64::from(double(a) <= double(b))),
            ]
        };
        for (op, hardware) in comparisons {
            list.push(Operation { op, operand, arity: 2, result: 1, float: false, hardware, rounds: false });
        }
        let remainder: Hardware =
            if is_single { |_, a, b| u64::from((single(a) % single(b)).to_bits()) } else { |_, a, b| (double(a) % double(b)).to_bits() };
        list.push(Operation { op: Op::FRem, operand, arity: 2, result, float: true, hardware: remainder, rounds: false });
        let (to_i64, to_i32): (Hardware, Hardware) = if is_single { (to_i64_32, to_i32_32) } else { (to_i64_64, to_i32_64) };
        for (hardware, result) in [(to_i64, 64), (to_i32, 32)] {
            list.push(Operation { op: Op::FToSigned, operand, arity: 1, result, float: false, hardware, rounds: true });
        }
        let from: Hardware = if is_single { from_i64_32 } else { from_i64_64 };
        let operand = Operand::Integer;
        list.push(Operation { op: Op::FFromSigned, operand, arity: 1, result, float: true, hardware: from, rounds: true });
    }
    for (from, to, hardware) in [(FloatFormat::Single, 64, widen as Hardware), (FloatFormat::Double, 32, narrow as Hardware)] {
        let operand = Operand::Float(from);
        list.push(Operation { op: Op::FConvert, operand, arity: 1, result: to, float: true, hardware, rounds: true });
    }
    list
}

/// A circuit over free inputs, ready to be simulated.
struct Simulation {
    circuit: Circuit,
    operands: Vec<Vec<Lit>>,
    result: Vec<Lit>,
    planes: Vec<Plane>,
}

impl Simulation {
    fn new(operation: &Operation, round: Round) -> Self {
        let mut circuit = Circuit::new();
        let operands: Vec<Vec<Lit>> = (0..operation.arity).map(|_| circuit.input_word(operation.operand.width())).collect();
        let slices: Vec<&[Lit]> = operands.iter().map(Vec::as_slice).collect();
        let sort = Sort::bv(operation.result);
        let node = Node { op: operation.op, round, shape: assay_term::Shape::new(1, false), sort, a: 0, b: 0, c: 0, d: 0, fingerprint: 0 };
        let result = operators::apply(&mut circuit, &node, &slices).expect("every operation has a circuit");
        let planes = vec![[0; WORDS]; circuit.var_count()];
        Simulation { circuit, operands, result, planes }
    }

    fn value(&self, lit: Lit) -> Plane {
        let plane = self.planes[lit.var() as usize];
        if lit.is_negative() { plane.map(|word| !word) } else { plane }
    }

    /// The results of a list of operands, at most one for each lane.
    fn run(&mut self, operands: &[[u64; 2]]) -> Vec<u64> {
        // Variable 0 is the constant true.
        self.planes[0] = [u64::MAX; WORDS];
        for (number, word) in self.operands.iter().enumerate() {
            for (bit, lit) in word.iter().enumerate() {
                let mut plane = [0; WORDS];
                for (lane, operand) in operands.iter().enumerate() {
                    plane[lane / 64] |= (operand[number] >> bit & 1) << (lane % 64);
                }
                self.planes[lit.var() as usize] = plane;
            }
        }
        for var in 1..self.circuit.var_count() as u32 {
            let inputs = self.circuit.gate_inputs(var);
            let each = |f: &dyn Fn(usize) -> u64| std::array::from_fn(f);
            let input = |i: usize| self.value(inputs[i]);
            let plane: Plane = match self.circuit.gate_kind(var) {
                GateKind::Input => continue,
                GateKind::And => inputs.iter().fold([u64::MAX; WORDS], |all, &lit| {
                    let plane = self.value(lit);
                    each(&|w| all[w] & plane[w])
                }),
                GateKind::Xor => inputs.iter().fold([0; WORDS], |all, &lit| {
                    let plane = self.value(lit);
                    each(&|w| all[w] ^ plane[w])
                }),
                GateKind::Majority => {
                    let (a, b, c) = (input(0), input(1), input(2));
                    each(&|w| a[w] & b[w] | c[w] & (a[w] | b[w]))
                }
                GateKind::Mux => {
                    let (c, a, b) = (input(0), input(1), input(2));
                    each(&|w| c[w] & a[w] | !c[w] & b[w])
                }
            };
            self.planes[var as usize] = plane;
        }
        let planes: Vec<Plane> = self.result.iter().map(|&lit| self.value(lit)).collect();
        let bit = |lane: usize, i: usize| planes[i][lane / 64] >> (lane % 64) & 1;
        (0..operands.len()).map(|lane| (0..planes.len()).fold(0, |value, i| value | bit(lane, i) << i)).collect()
    }
}

fn check(operation: &Operation, round: Round, mode: u32, simulation: &mut Simulation, operands: &[[u64; 2]]) {
    let format = FloatFormat::of_width(operation.result);
    for (operand, found) in operands.iter().zip(simulation.run(operands)) {
        let mut expected = (operation.hardware)(mode, operand[0], operand[1]);
        if operation.float
            && let Some(format) = format
        {
            let no_number = if operation.result == 32 { single(expected).is_nan() } else { double(expected).is_nan() };
            if no_number {
                expected = format.nan() as u64;
            }
        }
        assert_eq!(found, expected, "{:?} {round:?} of {operand:x?}: {found:x}, the processor has {expected:x}", operation.op);
    }
}

/// How many random operands an operation; the nightly size is asked for by the environment.
fn size() -> usize {
    let small = 40_000;
    std::env::var("ASSAY_NIGHTLY").ok().and_then(|n| n.parse::<usize>().ok()).map_or(small, |factor| small * factor)
}

#[test]
fn float_circuits_agree_with_the_processor() {
    let mut random = Random::new(17);
    for operation in operations() {
        let modes: &[(Round, u32)] = if operation.rounds { &MODES } else { &MODES[..1] };
        // The remainder's circuit is long, and the small size is for every day.
        let share = if operation.op == Op::FRem { size() / 20 } else { size() };
        let share = if std::env::var_os("ASSAY_NIGHTLY").is_some() { size() } else { share };
        let (mut special, mut drawn) = (0, 0);
        for &(round, mode) in modes {
            let mut simulation = Simulation::new(&operation, round);
            let values = operation.operand.special();
            let mut list: Vec<[u64; 2]> = match operation.arity {
                1 => values.iter().map(|&a| [a, a]).collect(),
                _ => values.iter().flat_map(|&a| values.iter().map(move |&b| [a, b])).collect(),
            };
            special += list.len();
            // A long circuit is not simulated on all pairs every day.
            if operation.op == Op::FRem && std::env::var_os("ASSAY_NIGHTLY").is_none() {
                list = list.into_iter().step_by(29).collect();
            }
            list.chunks(LANES).for_each(|chunk| check(&operation, round, mode, &mut simulation, chunk));
            let mut left = share / modes.len();
            drawn += left;
            while left > 0 {
                let count = left.min(LANES);
                left -= count;
                let operands: Vec<[u64; 2]> =
                    (0..count).map(|_| [operation.operand.random(&mut random), operation.operand.random(&mut random)]).collect();
                check(&operation, round, mode, &mut simulation, &operands);
            }
        }
        let Operation { op, operand, result, .. } = &operation;
        eprintln!("{op:?} of {} to {result} bits: {special} special and {drawn} random operands agree", operand.width());
    }
}
