//! Interpolants of random and of hand-made contradictions: implied by the prefix, contradicting the suffix, over
//! shared symbols only.

use assay_smt::interpolate::{InterpolationError, Method, binary, check, sequence};
use assay_smt::{Budget, Config, Solver};
use assay_term::random::{Generator, Shape};
use assay_term::{Op, Sort, Term, Terms};

const METHODS: [Method; 2] = [Method::Craig, Method::Newton];

fn random_sequences(shape: impl Fn() -> Shape, seeds: u64) {
    let budget = Budget { conflicts: Some(50_000), ..Budget::default() };
    let mut found = 0;
    for seed in 0..seeds {
        let terms = Terms::new();
        let mut generator = Generator::new(&terms, shape(), seed);
        let mut solver = Solver::new(Config::default());
        let mut path: Vec<Term> = Vec::new();
        for _ in 0..60 {
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
            if solver.check(&terms, &path, &budget).is_sat() {
                continue;
            }
            let size = 1 + path.len() / 3;
            let groups: Vec<Vec<Term>> = path.chunks(size).map(<[Term]>::to_vec).collect();
            for method in METHODS {
                match sequence(&mut solver, &terms, &groups, method, &budget) {
                    Ok(list) => {
                        found += 1;
                        assert_eq!(check(&terms, &groups, &list, &budget), None, "seed {seed}, {method:?}");
                    }
                    Err(InterpolationError::Satisfiable(_)) => panic!("seed {seed}: not a contradiction"),
                    Err(InterpolationError::Unknown(_)) => {}
                }
            }
            path.clear();
        }
    }
    assert!(found > 20, "only {found} sequences");
}

#[test]
fn random_contradictions_of_small_words_have_interpolants() {
    random_sequences(Shape::small, 25);
}

#[test]
fn random_contradictions_of_bytes_have_interpolants() {
    random_sequences(|| Shape { widths: vec![1, 8, 16], floats: false, arrays: false }, 10);
}

#[test]
fn random_contradictions_with_arrays_are_sound() {
    random_sequences(|| Shape { widths: vec![1, 4, 8], floats: false, arrays: true }, 10);
}

/// i0 = 0, i1 = i0 + 1, i2 = i1 + 1, i2 > 5: a path through a loop.
fn loop_path(terms: &Terms) -> Vec<Vec<Term>> {
    let i = |n: u32| terms.named(&format!("i{n}"), Sort::bv(32));
    let number = |value: u128| terms.number(32, value);
    vec![
        vec![terms.eq(i(0), number(0))],
        vec![terms.eq(i(1), terms.add(i(0), number(1)))],
        vec![terms.eq(i(2), terms.add(i(1), number(1)))],
        vec![terms.slt(number(5), i(2))],
    ]
}

#[test]
fn newton_assertions_are_strongest_postconditions() {
    let terms = Terms::new();
    let mut solver = Solver::new(Config::default());
    let groups = loop_path(&terms);
    let list = sequence(&mut solver, &terms, &groups, Method::Newton, &Budget::default()).unwrap();
    let i2 = terms.named("i2", Sort::bv(32));
    assert_eq!(list[2], terms.eq(i2, terms.number(32, 2)));
    assert_eq!(check(&terms, &groups, &list, &Budget::default()), None);
}

#[test]
fn craig_interpolants_of_a_loop_path_hold() {
    let terms = Terms::new();
    let mut solver = Solver::new(Config::default());
    let groups = loop_path(&terms);
    let list = sequence(&mut solver, &terms, &groups, Method::Craig, &Budget::default()).unwrap();
    assert_eq!(list.len(), 3);
    assert_eq!(check(&terms, &groups, &list, &Budget::default()), None);
}

#[test]
fn a_shared_comparison_is_lifted_to_words() {
    let terms = Terms::new();
    let mut solver = Solver::new(Config::default());
    let (x, y, z) = (terms.named("x", Sort::bv(32)), terms.named("y", Sort::bv(32)), terms.named("p", Sort::BOOL));
    let less = terms.slt(x, y);
    let product = terms.binary(Op::Mul, x, x);
    let first = [terms.or(less, z), terms.not(z), terms.ne(product, y)];
    let second = [terms.not(less)];
    let found = binary(&mut solver, &terms, &first, &second, Method::Craig, &Budget::default()).unwrap();
    assert_eq!(found, less, "{}", terms.display(found));
}

#[test]
fn satisfiable_groups_have_a_model_instead() {
    let terms = Terms::new();
    let mut solver = Solver::new(Config::default());
    let x = terms.named("x", Sort::bv(8));
    let one = [terms.ult(x, terms.number(8, 9))];
    let two = [terms.ult(terms.number(8, 3), x)];
    let answer = binary(&mut solver, &terms, &one, &two, Method::Craig, &Budget::default());
    assert!(matches!(answer, Err(InterpolationError::Satisfiable(_))), "{answer:?}");
}
