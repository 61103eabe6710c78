//! Mathematical integers: solvers that have them agree with the evaluator, the embedded engine says that it has none.

mod common;

use assay_smt::backend::Backend;
use assay_smt::backend::process::Process;
use assay_smt::{Answer, Budget, Config, Embedded, NoAnswer, Solver};
use assay_term::random::Random;
use assay_term::{Op, Sort, Term, Terms};
use std::time::Duration;

fn budget() -> Budget {
    Budget { time: Some(Duration::from_secs(10)), ..Budget::default() }
}

/// Every library and program that has integers.
fn solvers(test: &str) -> Vec<Box<dyn Backend>> {
    let mut list: Vec<Box<dyn Backend>> = common::z3s(test).into_iter().map(|z3| Box::new(z3) as Box<dyn Backend>).collect();
    match Process::find() {
        Some(process) => list.push(Box::new(process)),
        None => eprintln!("{test}: no solver program was found"),
    }
    list.retain(|solver| solver.description().abilities.integers);
    list
}

fn random_truth(terms: &Terms, random: &mut Random) -> Term {
    let mut pool: Vec<Term> = ["x", "y"].iter().map(|name| terms.named(name, Sort::INTEGER)).collect();
    let byte = terms.named("b", Sort::bv(8));
    pool.extend([terms.integer_of(byte, true), terms.integer_of(byte, false)]);
    for _ in 0..4 {
        let a = random.pick(&pool);
        let b = if random.chance(50) { terms.integer(random.below(9) as i128 - 4) } else { random.pick(&pool) };
        pool.push(match random.below(5) {
            0 | 1 => terms.integer_add(a, b),
            2 => terms.integer_mul(a, terms.integer(random.below(5) as i128 - 2)),
            3 => terms.integer_binary(random.pick(&[Op::IntegerDiv, Op::IntegerMod]), a, terms.integer(random.below(5) as i128 + 1)),
            _ => terms.ite(terms.integer_less(a, b), b, a),
        });
    }
    let (a, b) = (pool[pool.len() - 1], random.pick(&pool));
    if random.chance(50) { terms.integer_less(a, b) } else { terms.eq(a, b) }
}

#[test]
fn solvers_with_integers_agree() {
    let mut solvers = solvers("solvers_with_integers_agree");
    let mut decided = 0;
    for seed in 0..60 {
        let terms = Terms::new();
        let mut random = Random::new(seed);
        let mut query: Vec<Term> = (0..3).map(|_| random_truth(&terms, &mut random)).collect();
        if random.chance(50) {
            query[0] = terms.not(query[0]);
        }
        // Models are evaluated on the query before they are handed out.
        let answers: Vec<Answer> = solvers.iter_mut().map(|solver| solver.check(&terms, &query, &budget())).collect();
        for answer in &answers {
            let text: Vec<String> = query.iter().map(|&t| terms.display(t).to_string()).collect();
            assert!(!matches!(answer, Answer::Unknown(NoAnswer::WrongAnswer(_))), "{answer:?} of {text:?}");
            let contradicts = answers.iter().any(|other| answer.is_sat() && other.is_unsat());
            assert!(!contradicts, "seed {seed}: {answers:?} of {text:?}");
            decided += usize::from(!answer.is_unknown());
        }
    }
    assert!(decided >= 50 * solvers.len(), "only {decided} answers of {} solvers", solvers.len());
}

#[test]
fn negative_and_large_integers_come_back() {
    for solver in &mut solvers("negative_and_large_integers_come_back") {
        let terms = Terms::new();
        let x = terms.named("x", Sort::INTEGER);
        for value in [-7, 0, 1 << 70, -(1 << 70)] {
            let equal = terms.eq(terms.integer_add(terms.integer_mul(x, terms.integer(2)), terms.integer(1)), terms.integer(2 * value + 1));
            let answer = solver.check(&terms, &[equal], &budget());
            let found = answer.model().and_then(|model| model.eval(&terms, x)).map(|bits| bits.signed());
            assert_eq!(found, Some(value), "{}: {answer:?}", solver.description().name);
        }
    }
}

#[test]
fn the_embedded_engine_says_that_it_has_none() {
    let terms = Terms::new();
    let x = terms.named("x", Sort::INTEGER);
    let query = [terms.integer_less(x, terms.integer(5))];
    let mut embedded = Embedded::new(2000);
    assert!(!embedded.description().abilities.integers);
    for answer in [embedded.check(&terms, &query, &budget()), Solver::new(Config::default()).check(&terms, &query, &budget())] {
        match answer {
            Answer::Unknown(reason @ NoAnswer::Unsupported(_)) => {
                assert!(reason.to_string().contains("mathematical integers"), "{reason}");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The chain before a solver serves integers like everything else.
#[test]
fn the_chain_serves_integers() {
    for backend in solvers("the_chain_serves_integers") {
        let terms = Terms::new();
        let (x, y) = (terms.named("x", Sort::INTEGER), terms.named("y", Sort::INTEGER));
        let mut solver = Solver::with_backend(Config::default(), backend);
        let sum = terms.eq(terms.integer_add(x, y), terms.integer(10));
        let less = terms.integer_less(x, y);
        assert!(solver.check(&terms, &[sum, less], &budget()).is_sat());
        assert!(solver.check(&terms, &[sum], &budget()).is_sat());
        assert!(solver.check(&terms, &[less, terms.integer_less(y, x)], &budget()).is_unsat());
        assert_eq!(solver.implies(&terms, &[less], terms.integer_less_eq(x, y), &budget()), Some(true));
    }
}
