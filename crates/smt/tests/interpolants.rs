//! Interpolants of random and of hand-made contradictions: implied by the prefix, contradicting the suffix, over
//! shared symbols only.

use assay_smt::interpolate::{Direction, InterpolationError, Method, binary, check, core, one_by_one, sequence};
use assay_smt::{Budget, Config, Solver};
use assay_term::random::{Generator, Random, Shape};
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

/// A proof tells bits; what it tells of all bits of a word is a fact about the word.
#[test]
fn bits_are_put_together_to_words() {
    let terms = Terms::new();
    let mut solver = Solver::new(Config::default());
    let word = |name: &str| terms.named(name, Sort::bv(32));
    let (x, y) = (word("x"), word("y"));
    let first = [terms.eq(y, terms.number(32, 4)), terms.eq(x, terms.add(y, terms.number(32, 1)))];
    let second = [terms.ne(x, terms.number(32, 5))];
    let found = binary(&mut solver, &terms, &first, &second, Method::Craig, &Budget::default()).unwrap();
    assert_eq!(found, terms.eq(x, terms.number(32, 5)), "{}", terms.display(found));
    let second = [terms.eq(x, terms.number(32, 7))];
    let first = [terms.ult(x, y), terms.ult(y, terms.number(32, 8))];
    let found = binary(&mut solver, &terms, &first, &second, Method::Craig, &Budget::default()).unwrap();
    assert_eq!(check(&terms, &[first.to_vec(), second.to_vec()], &[found], &Budget::default()), None);
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

const TAKEN_OUT: &str = "interpolants: with arrays";
const LEFT_IN: &str = "interpolants: none with arrays";

fn count(solver: &Solver, what: &str) -> u64 {
    solver.stats().counters.get(what).copied().unwrap_or(0)
}

/// Interpolants of all kinds, each of which must be one; those of the sequence come first. No proof gave way to Newton.
fn interpolants_with_arrays(terms: &Terms, groups: &[Vec<Term>]) -> Vec<Term> {
    let budget = Budget::default();
    let mut solver = Solver::new(Config::default());
    let list = sequence(&mut solver, terms, groups, Method::Craig, &budget).expect("a contradiction");
    assert_eq!(check(terms, groups, &list, &budget), None);
    let core = core(&mut solver, terms, groups, &budget).expect("a contradiction");
    for direction in [Direction::Forwards, Direction::Backwards] {
        let list = one_by_one(&mut solver, terms, &core, direction, &budget).expect("a contradiction");
        assert_eq!(check(terms, groups, &list, &budget), None, "{direction:?}");
    }
    assert!(count(&solver, TAKEN_OUT) > 0 && count(&solver, LEFT_IN) == 0, "{:?}", solver.stats());
    list
}

/// `[i] = 5` in one step, `[i] != 5` in a later one, with a write elsewhere in between.
#[test]
fn a_write_is_remembered_at_an_index_that_both_sides_know() {
    let terms = Terms::new();
    let array = |n: u32| terms.named(&format!("a{n}"), Sort::array(32, 32));
    let (i, j, x) = (terms.named("i", Sort::bv(32)), terms.named("j", Sort::bv(32)), terms.named("x", Sort::bv(32)));
    let five = terms.number(32, 5);
    let groups = vec![
        vec![terms.eq(array(1), terms.store(array(0), i, five))],
        vec![terms.ne(i, j)],
        vec![terms.eq(array(2), terms.store(array(1), j, terms.number(32, 9)))],
        vec![terms.eq(x, terms.select(array(2), i))],
        vec![terms.ne(x, five)],
    ];
    let list = interpolants_with_arrays(&terms, &groups);
    assert_eq!(list[0], terms.eq(terms.select(array(1), i), five), "{}", terms.display(list[0]));
}

/// A counter from an unknown beginning: the index of the read is dead where the write is, but not what it is made of.
#[test]
fn an_index_is_said_in_earlier_words() {
    let terms = Terms::new();
    let array = |n: u32| terms.named(&format!("a{n}"), Sort::array(32, 8));
    let i = |n: u32| terms.named(&format!("i{n}"), Sort::bv(32));
    let number = |value: u128| terms.number(32, value);
    let groups = vec![
        vec![terms.eq(array(1), terms.store(array(0), terms.add(i(0), number(2)), terms.number(8, 7)))],
        vec![terms.eq(i(1), terms.add(i(0), number(1)))],
        vec![terms.eq(array(2), terms.store(array(1), i(1), terms.number(8, 3)))],
        vec![terms.eq(i(2), terms.add(i(1), number(1)))],
        vec![terms.ne(terms.select(array(2), i(2)), terms.number(8, 7))],
    ];
    interpolants_with_arrays(&terms, &groups);
}

/// `for (i = 0; i < 3; i++) a[i] = i + 1;` and then a look at `a[1]` through another counter.
#[test]
fn a_filled_array_is_read_by_another_counter() {
    let terms = Terms::new();
    let array = |n: u32| terms.named(&format!("a{n}"), Sort::array(32, 32));
    let number = |value: u128| terms.number(32, value);
    let counter = |name: &str, n: u32| terms.named(&format!("{name}{n}"), Sort::bv(32));
    let mut groups = vec![vec![terms.eq(counter("i", 0), number(0))]];
    for n in 0..3 {
        let i = counter("i", n);
        groups.push(vec![terms.eq(array(n + 1), terms.store(array(n), i, terms.add(i, number(1))))]);
        groups.push(vec![terms.eq(counter("i", n + 1), terms.add(i, number(1)))]);
    }
    groups.push(vec![terms.eq(counter("j", 0), number(0))]);
    groups.push(vec![terms.eq(counter("j", 1), terms.add(counter("j", 0), number(1)))]);
    groups.push(vec![terms.ne(terms.select(array(3), counter("j", 1)), number(2))]);
    interpolants_with_arrays(&terms, &groups);
}

#[test]
fn functions_and_choices_between_arrays_are_taken_out() {
    let terms = Terms::new();
    let word = |name: &str| terms.named(name, Sort::bv(16));
    let function = terms.intern_symbol("f", Sort::bv(16));
    let apply = |argument: Term| terms.apply(function, &[argument], Sort::bv(16));
    let (x, y, z) = (word("x"), word("y"), word("z"));
    let groups = vec![vec![terms.eq(apply(x), terms.number(16, 1))], vec![terms.eq(x, y)], vec![terms.eq(apply(y), terms.number(16, 2))]];
    interpolants_with_arrays(&terms, &groups);
    let (p, a, b) = (terms.named("p", Sort::BOOL), terms.named("a", Sort::array(16, 16)), terms.named("b", Sort::array(16, 16)));
    let c = terms.named("c", Sort::array(16, 16));
    let zero = terms.const_array(16, terms.number(16, 0));
    let groups = vec![
        vec![terms.eq(a, zero), terms.eq(b, terms.store(zero, z, terms.number(16, 1)))],
        vec![terms.eq(c, terms.ite(p, a, b))],
        vec![terms.ult(terms.number(16, 1), terms.select(c, z))],
    ];
    interpolants_with_arrays(&terms, &groups);
    // Read at an index of which the first side knows nothing: that would take a quantifier, and it is said so.
    let mut groups = groups;
    groups[2] = vec![terms.ult(terms.number(16, 1), terms.select(c, x))];
    let answer = sequence(&mut Solver::new(Config::default()), &terms, &groups, Method::Craig, &Budget::default());
    assert!(matches!(answer, Err(InterpolationError::Unknown(_))), "{answer:?}");
}

/// Paths of assignments, reads, writes and conditions that contradict each other at some point.
#[test]
fn random_paths_with_memory_have_interpolants() {
    let budget = Budget { conflicts: Some(50_000), ..Budget::default() };
    let (mut taken_out, mut left_in) = (0, 0);
    for seed in 0..60 {
        let terms = Terms::new();
        let mut random = Random::new(seed);
        let mut solver = Solver::new(Config::default());
        let (index, element) = (Sort::bv(3), Sort::bv(3));
        let mut array = terms.named("a0", Sort::array(3, 3));
        let mut variables: Vec<Term> = (0..3).map(|n| terms.named(&format!("x{n}"), index)).collect();
        let mut groups: Vec<Vec<Term>> = Vec::new();
        for step in 0..40 {
            let (left, right) = (variables[random.below(3)], variables[random.below(3)]);
            let other = if random.chance(50) { right } else { terms.number(3, random.below(8) as u128) };
            let sum = terms.add(left, other);
            groups.push(vec![match random.below(4) {
                0 => {
                    let next = terms.named(&format!("a{}", step + 1), Sort::array(3, 3));
                    let written = terms.eq(next, terms.store(array, left, other));
                    array = next;
                    written
                }
                1 => {
                    let next = terms.named(&format!("y{step}"), element);
                    let read = terms.eq(next, terms.select(array, sum));
                    variables[random.below(3)] = next;
                    read
                }
                2 => {
                    let next = terms.named(&format!("y{step}"), element);
                    let assigned = terms.eq(next, sum);
                    variables[random.below(3)] = next;
                    assigned
                }
                _ => {
                    let seen = terms.select(array, left);
                    if random.chance(50) { terms.eq(seen, other) } else { terms.ult(seen, other) }
                }
            }]);
            let all: Vec<Term> = groups.iter().flatten().copied().collect();
            if !solver.check(&terms, &all, &budget).is_unsat() {
                continue;
            }
            for method in METHODS {
                if let Ok(list) = sequence(&mut solver, &terms, &groups, method, &budget) {
                    assert_eq!(check(&terms, &groups, &list, &budget), None, "seed {seed}, {method:?}");
                }
            }
            let core = core(&mut solver, &terms, &groups, &budget).expect("a contradiction");
            for direction in [Direction::Forwards, Direction::Backwards] {
                if let Ok(list) = one_by_one(&mut solver, &terms, &core, direction, &budget) {
                    assert_eq!(check(&terms, &groups, &list, &budget), None, "seed {seed}, {direction:?}");
                }
            }
            break;
        }
        taken_out += count(&solver, TAKEN_OUT);
        left_in += count(&solver, LEFT_IN);
    }
    println!("arrays taken out {taken_out} times, left in {left_in} times");
    assert!(taken_out > 150 && left_in < taken_out / 20, "{taken_out} taken out, {left_in} left in");
}
