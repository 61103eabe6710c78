//! Circuits against the evaluator: every operator on constants, then the SAT layer against CaDiCaL.

use super::circuit::Circuit;
use super::lit::Lit;
use super::operators;
use super::words::{as_constant, constant};
use assay_term::random::Random;
use assay_term::{Bits, FloatFormat, Node, Op, Round, Sort, eval};

fn node(op: Op, round: Round, width: u32, high: u32, low: u32) -> Node {
    Node { op, round, shape: assay_term::Shape::new(1, false), sort: Sort::bv(width), a: 0, b: 0, c: high, d: low, fingerprint: 0 }
}

/// Computes an operator by its circuit on constant inputs and by the evaluator.
fn check(node: &Node, operands: &[Bits]) {
    let Some(expected) = eval::apply(node, operands) else { return };
    let words: Vec<Vec<Lit>> = operands.iter().map(|b| constant(b.width(), b.value())).collect();
    let slices: Vec<&[Lit]> = words.iter().map(Vec::as_slice).collect();
    let mut circuit = Circuit::new();
    let Ok(result) = operators::apply(&mut circuit, node, &slices) else { return };
    let found = as_constant(&result).map(|value| Bits::new(result.len() as u32, value));
    assert_eq!(found, Some(expected), "{:?} {:?} to {} bits of {operands:x?}", node.op, node.round, node.width());
}

const BINARY: [Op; 12] = [
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Add,
    Op::Mul,
    Op::UnsignedDiv,
    Op::SignedDiv,
    Op::UnsignedRem,
    Op::SignedRem,
    Op::ShiftLeft,
    Op::ShiftRight,
    Op::ShiftRightSigned,
];

#[test]
fn word_operators_agree_with_the_evaluator_on_all_small_operands() {
    for width in 1..=4 {
        for x in 0..1u128 << width {
            let a = Bits::new(width, x);
            for op in [Op::Not, Op::Neg] {
                check(&node(op, Round::NearestEven, width, 0, 0), &[a]);
            }
            for y in 0..1u128 << width {
                let b = Bits::new(width, y);
                for op in BINARY {
                    check(&node(op, Round::NearestEven, width, 0, 0), &[a, b]);
                }
                for op in [Op::Eq, Op::UnsignedLess, Op::SignedLess] {
                    check(&node(op, Round::NearestEven, 1, 0, 0), &[a, b]);
                }
            }
        }
    }
}

#[test]
fn word_operators_agree_with_the_evaluator_on_random_operands() {
    let mut random = Random::new(1);
    for _ in 0..4000 {
        let width = random.pick(&[5, 8, 16, 31, 32, 33, 64, 80, 128]);
        let (a, b) = (random.bits(width), random.bits(width));
        for op in BINARY {
            check(&node(op, Round::NearestEven, width, 0, 0), &[a, b]);
        }
        for op in [Op::Eq, Op::UnsignedLess, Op::SignedLess] {
            check(&node(op, Round::NearestEven, 1, 0, 0), &[a, b]);
        }
    }
}

const FORMATS: [FloatFormat; 5] = [FloatFormat::Half, FloatFormat::Single, FloatFormat::Double, FloatFormat::Extended, FloatFormat::Quad];

fn check_float_operators(random: &mut Random, format: FloatFormat) {
    let width = format.width();
    let (a, b) = (random.float(format), random.float(format));
    let round = random.pick(&Round::ALL);
    for op in [Op::FAdd, Op::FSub, Op::FMul, Op::FDiv] {
        check(&node(op, round, width, 0, 0), &[a, b]);
    }
    for op in [Op::FSqrt, Op::FRoundToIntegral] {
        check(&node(op, round, width, 0, 0), &[a]);
    }
    for op in [Op::FEq, Op::FLess, Op::FLessEq] {
        check(&node(op, round, 1, 0, 0), &[a, b]);
        check(&node(op, round, 1, 0, 0), &[a, a]);
    }
    for other in FORMATS {
        check(&node(Op::FConvert, round, other.width(), 0, 0), &[a]);
    }
    let integer_width = random.pick(&[1, 7, 8, 16, 32, 64, 128]);
    for op in [Op::FToSigned, Op::FToUnsigned] {
        check(&node(op, round, integer_width, 0, 0), &[a]);
    }
    let integer = random.bits(integer_width);
    for op in [Op::FFromSigned, Op::FFromUnsigned] {
        check(&node(op, round, width, 0, 0), &[integer]);
    }
}

/// How many random operands; the nightly size is asked for by the environment.
fn size(small: usize) -> usize {
    std::env::var("ASSAY_NIGHTLY").ok().and_then(|n| n.parse::<usize>().ok()).map_or(small, |factor| small * factor)
}

#[test]
fn float_operators_agree_with_the_evaluator() {
    let mut random = Random::new(2);
    for format in FORMATS {
        for _ in 0..size(1500) {
            check_float_operators(&mut random, format);
        }
    }
}

#[test]
fn float_remainders_agree_with_the_evaluator() {
    let mut random = Random::new(3);
    for (format, count) in [(FloatFormat::Half, 2000), (FloatFormat::Single, 200), (FloatFormat::Double, 10)] {
        for _ in 0..count {
            let (a, b) = (random.float(format), random.float(format));
            check(&node(Op::FRem, Round::NearestEven, format.width(), 0, 0), &[a, b]);
        }
    }
}

#[test]
fn the_small_search_agrees_with_cadical_on_random_clauses() {
    use super::sat::{Sat, SatOutcome};
    let mut random = Random::new(4);
    for round in 0..400 {
        let vars = 3 + random.below(30) as u32;
        let count = (vars as f64 * (3.0 + random.below(25) as f64 / 10.0)) as usize;
        let mut sat = Sat::new();
        let mut reference: cadical::Solver = cadical::Solver::new();
        for _ in 0..vars {
            let var = sat.new_var();
            sat.set_relevant(var, true);
        }
        for step in 0..6 {
            for _ in 0..count / 6 + 1 {
                let clause: Vec<Lit> =
                    (0..1 + random.below(3)).map(|_| Lit::new(1 + random.below(vars as usize) as u32, random.chance(50))).collect();
                let clause = if clause.len() == 1 && random.chance(90) { vec![clause[0], !clause[0]] } else { clause };
                sat.add_clause(&clause);
                reference.add_clause(clause.iter().map(|l| l.dimacs()));
            }
            let mut assumptions: Vec<Lit> =
                (0..random.below(4)).map(|_| Lit::new(1 + random.below(vars as usize) as u32, random.chance(50))).collect();
            if random.chance(30) {
                assumptions.push(Lit::TRUE);
            }
            let outcome = sat.solve(&assumptions, u64::MAX, &mut || false);
            reference.add_clause([Lit::TRUE.dimacs()]);
            let expected = reference.solve_with(assumptions.iter().map(|l| l.dimacs()));
            assert_eq!(outcome == SatOutcome::Sat, expected == Some(true), "round {round} step {step}");
            if outcome == SatOutcome::Unsat {
                let core = sat.core().to_vec();
                assert!(core.iter().all(|l| assumptions.contains(l)), "{core:?} of {assumptions:?}");
                assert_eq!(reference.solve_with(core.iter().map(|l| l.dimacs())), Some(false));
            }
        }
    }
}

#[test]
fn a_formula_is_not_built_for_a_run_that_was_stopped() {
    let terms = assay_term::Terms::new();
    let symbol = |name: &str| terms.named(name, Sort::bv(128));
    let (x, y) = (symbol("x"), symbol("y"));
    // Some hundred products of words: seconds of work, and millions of gates.
    let product = (0..400).fold(x, |a, i| terms.mul(terms.add(a, y), terms.xor(a, terms.number(128, i))));
    let cancel = assay_base::CancelToken::new();
    cancel.stop(assay_base::StopReason::Interrupt);
    let budget = crate::Budget::unlimited(&cancel);
    let mut engine = super::Engine::new(1000);
    let answer = engine.check(&terms, &[terms.eq(product, y)], &mut super::Limits::of(&budget));
    assert!(matches!(answer, super::EngineAnswer::Unknown(crate::answer::NoAnswer::Stopped(_))));
    // Without the stop it goes on where it was, for as long as it may.
    let patient = assay_base::CancelToken::new();
    let budget = crate::Budget::with_time(&patient, std::time::Duration::from_millis(1));
    let answer = engine.check(&terms, &[terms.eq(product, y)], &mut super::Limits::of(&budget));
    assert!(matches!(answer, super::EngineAnswer::Unknown(crate::answer::NoAnswer::Time)));
}

/// Arrays defined by equations, read and written at unknown indices: the laws are used where the query reads and
/// writes, not at one number after the other.
#[test]
fn equal_arrays_agree_at_indices_that_are_any_number() {
    let terms = assay_term::Terms::new();
    let array = |n: u32| terms.named(&format!("a{n}"), Sort::array(64, 8));
    let [i, j, k] = ["i", "j", "k"].map(|name| terms.named(name, Sort::bv(64)));
    let byte = |value: u128| terms.number(8, value);
    let path = [
        terms.eq(array(1), terms.store(array(0), i, byte(5))),
        terms.eq(array(2), terms.store(array(1), j, byte(9))),
        terms.ne(i, j),
        terms.eq(k, i),
        terms.ne(terms.select(array(2), k), byte(5)),
    ];
    let cancel = assay_base::CancelToken::new();
    let budget = crate::Budget::unlimited(&cancel);
    let mut engine = super::Engine::new(1000);
    let answer = engine.check(&terms, &path, &mut super::Limits::of(&budget));
    assert!(matches!(answer, super::EngineAnswer::Unsat(_)));
    assert!(engine.stats.counters["solver.lemmas"] < 30, "{:?}", engine.stats);
    let answer = engine.check(&terms, &path[..4], &mut super::Limits::of(&budget));
    assert!(matches!(answer, super::EngineAnswer::Sat(_)));
}
