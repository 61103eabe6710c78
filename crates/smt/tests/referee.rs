//! The embedded engine against Z3, where one is found: random conjunctions, answers, models and cores.

mod common;

use assay_smt::backend::Backend;
use assay_smt::{Answer, Budget, Config, Solver};
use assay_term::random::{Generator, Shape};
use assay_term::{Term, Terms};
use std::time::Duration;

/// How many random queries; the nightly size is asked for by the environment.
fn size(small: usize) -> usize {
    std::env::var("ASSAY_NIGHTLY").ok().and_then(|n| n.parse::<usize>().ok()).map_or(small, |factor| small * factor)
}

fn agree(test: &str, shape: impl Fn() -> Shape, seeds: usize, steps: usize) {
    for mut z3 in common::z3s(test) {
        let version = z3.description().version.clone();
        let (mut compared, mut sat, mut unsat) = (0, 0, 0);
        for seed in 0..seeds as u64 {
            let terms = Terms::new();
            let mut generator = Generator::new(&terms, shape(), seed);
            let mut solver = Solver::new(Config::default());
            let budget = Budget { time: Some(Duration::from_secs(2)), ..Budget::default() };
            let mut path: Vec<Term> = Vec::new();
            for _ in 0..steps {
                let term = generator.step().simple;
                if terms.sort(term).is_array() {
                    continue;
                }
                let condition = if terms.width(term) == 1 { term } else { terms.is_nonzero(term) };
                let condition = if generator.random.chance(50) { terms.not(condition) } else { condition };
                if terms.as_constant(condition).is_some() {
                    continue;
                }
                path.push(condition);
                let ours = solver.check(&terms, &path, &budget);
                let theirs = z3.check(&terms, &path, &budget);
                match (&ours, &theirs) {
                    (Answer::Sat(_), Answer::Unsat(_)) | (Answer::Unsat(_), Answer::Sat(_)) => {
                        let text: Vec<String> = path.iter().map(|&c| terms.display(c).to_string()).collect();
                        panic!("Z3 {version}, seed {seed}: {ours:?} but {theirs:?} for {text:#?}");
                    }
                    (Answer::Sat(_), Answer::Sat(_)) => sat += 1,
                    (Answer::Unsat(core), Answer::Unsat(_)) => {
                        unsat += 1;
                        let part: Vec<Term> = core.iter().map(|&i| path[i]).collect();
                        assert!(!z3.check(&terms, &part, &budget).is_sat(), "Z3 {version}, seed {seed}: a core that is none");
                    }
                    _ => {}
                }
                compared += 1;
                if !ours.is_sat() {
                    path.pop();
                }
                if path.len() > 12 {
                    path.drain(..6);
                }
            }
        }
        eprintln!("{test}: Z3 {version}: {compared} queries, {sat} satisfiable, {unsat} not, no disagreement");
        assert!(sat + unsat > compared / 2, "too few answers: {sat} + {unsat} of {compared}");
    }
}

#[test]
fn small_words_agree_with_z3() {
    agree("small_words_agree_with_z3", Shape::small, size(12), 60);
}

#[test]
fn words_and_arrays_agree_with_z3() {
    let shape = || Shape { widths: vec![1, 4, 8, 16], floats: false, arrays: true };
    agree("words_and_arrays_agree_with_z3", shape, size(6), 40);
}

#[test]
fn half_floats_agree_with_z3() {
    let shape = || Shape { widths: vec![1, 16], floats: true, arrays: false };
    agree("half_floats_agree_with_z3", shape, size(2), 20);
}
