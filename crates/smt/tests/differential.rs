//! Random terms: the embedded engine against the evaluator, with models, cores and prefixes.

use assay_smt::{Answer, Budget, Config, Solver};
use assay_term::random::{Generator, Random, Shape};
use assay_term::{Bits, Op, SymbolId, Term, Terms, eval};
use std::collections::BTreeMap;

/// How many random terms; the nightly size is asked for by the environment.
fn size(small: usize) -> usize {
    std::env::var("ASSAY_NIGHTLY").ok().and_then(|n| n.parse::<usize>().ok()).map_or(small, |factor| small * factor)
}

type Assignment = BTreeMap<SymbolId, Bits>;

fn assignment(terms: &Terms, random: &mut Random) -> Assignment {
    (0..terms.symbol_count())
        .map(|i| SymbolId(i as u32))
        .filter(|&s| !terms.symbol_info(s).sort.is_array())
        .map(|s| (s, random.bits(terms.symbol_info(s).sort.width())))
        .collect()
}

fn value(terms: &Terms, term: Term, assignment: &Assignment) -> Option<Bits> {
    eval::evaluate(terms, term, &mut |node| match node.op {
        Op::Symbol => assignment.get(&node.symbol()).copied(),
        _ => None,
    })
}

/// Terms pinned by an assignment have the evaluator's value and no other.
fn pinned(shape: Shape, seed: u64, rounds: usize, steps: usize) {
    let terms = Terms::new();
    let mut generator = Generator::new(&terms, shape, seed);
    let symbols = generator.pool().len();
    let mut solver = Solver::new(Config::default());
    let mut bare = Solver::new(Config { chain: false, ..Config::default() });
    let budget = Budget { conflicts: Some(100_000), ..Budget::default() };
    let mut random = Random::new(seed ^ 0xABCD);
    for _ in 0..rounds {
        generator.cut_to(symbols);
        for _ in 0..steps {
            generator.step();
        }
        let pair = generator.step();
        let assignment = assignment(&terms, &mut random);
        for term in [pair.plain, pair.simple] {
            let Some(expected) = value(&terms, term, &assignment) else { continue };
            let mut pins: Vec<Term> =
                terms.free_symbols(term).into_iter().map(|s| terms.eq(terms.symbol(s), terms.constant(assignment[&s]))).collect();
            let equal = terms.eq(term, terms.constant(expected));
            for solver in [&mut solver, &mut bare] {
                pins.push(equal);
                let answer = solver.check(&terms, &pins, &budget);
                assert!(answer.is_sat() || answer.is_unknown(), "{answer:?}: {} is not {expected:?}", terms.display(term));
                pins.pop();
                pins.push(terms.not(equal));
                match solver.check(&terms, &pins, &budget) {
                    Answer::Sat(model) => panic!("{} should be {expected:?}; {model:?}", terms.display(term)),
                    Answer::Unsat(core) => assert!(core.iter().all(|&i| i < pins.len())),
                    Answer::Unknown(_) => {}
                }
                pins.pop();
                // Without the pins there is at least this solution; the model is checked inside.
                let answer = solver.check(&terms, &[equal], &budget);
                assert!(!answer.is_unsat(), "{} can be {expected:?}", terms.display(term));
            }
        }
    }
}

#[test]
fn small_words_have_the_evaluators_value() {
    pinned(Shape::small(), 11, size(400), 12);
}

#[test]
fn wide_words_have_the_evaluators_value() {
    let shape = Shape { widths: vec![1, 8, 16, 32], floats: false, arrays: false };
    pinned(shape, 12, size(120), 6);
}

#[test]
fn half_floats_have_the_evaluators_value() {
    let shape = Shape { widths: vec![1, 8, 16], floats: true, arrays: false };
    pinned(shape, 13, size(60), 3);
}

/// Cores are contradictions by themselves, answers do not depend on what was asked before.
#[test]
fn prefixes_cores_and_fresh_instances_agree() {
    for seed in 0..size(30) as u64 {
        let terms = Terms::new();
        let shape = Shape { widths: vec![1, 3, 4, 8], floats: false, arrays: seed % 2 == 0 };
        let mut generator = Generator::new(&terms, shape, seed);
        let mut incremental = Solver::new(Config::default());
        let mut bare = Solver::new(Config { chain: false, ..Config::default() });
        let budget = Budget { conflicts: Some(100_000), ..Budget::default() };
        let mut path: Vec<Term> = Vec::new();
        for _ in 0..60 {
            let pair = generator.step();
            let condition = if terms.sort(pair.simple).is_array() {
                continue;
            } else if terms.width(pair.simple) == 1 {
                pair.simple
            } else {
                terms.is_nonzero(pair.simple)
            };
            let condition = if generator.random.chance(50) { terms.not(condition) } else { condition };
            path.push(condition);
            let answer = incremental.check(&terms, &path, &budget);
            let other = bare.check(&terms, &path, &budget);
            let fresh = Solver::new(Config { chain: false, ..Config::default() }).check(&terms, &path, &budget);
            assert_eq!(answer.is_sat(), fresh.is_sat(), "seed {seed}");
            assert_eq!(answer.is_unsat(), fresh.is_unsat(), "seed {seed}");
            assert_eq!(other.is_unsat(), fresh.is_unsat(), "seed {seed}");
            for core in [&answer, &other, &fresh].into_iter().filter_map(|a| a.core()) {
                let part: Vec<Term> = core.iter().map(|&i| path[i]).collect();
                assert!(Solver::new(Config::default()).check(&terms, &part, &budget).is_unsat(), "seed {seed}: a core that is none");
            }
            if answer.is_unsat() {
                path.truncate(path.len() / 2);
            }
        }
    }
}
