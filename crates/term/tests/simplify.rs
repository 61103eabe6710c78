//! The simplifier against the evaluator: random terms, built plainly and through the constructors, must have
//! the same value under every assignment, and the facts about them must hold.
//!
//! `cargo test -p assay-term --release --test simplify -- --ignored` runs the large count.

mod common;

use assay_base::FastMap;
use assay_base::hash::mix;
use assay_term::random::{Generator, Random, Shape};
use assay_term::{Op, Sort, Term, Terms};
use common::value;

fn describe(terms: &Terms, term: Term) -> String {
    terms.display(term).to_string()
}

fn check(shape: Shape, seed: u64, count: usize, assignments: u64) {
    let floats = shape.floats;
    let mut done = 0;
    let mut round = 0;
    let mut plain_size = 0u64;
    let mut simple_size = 0u64;
    while done < count {
        // A fresh store now and then, so that memory stays small.
        let terms = Terms::new();
        round += 1;
        let mut generator = Generator::new(&terms, shape.clone(), mix(seed ^ round));
        let symbols = generator.pool().len();
        for _ in 0..40 {
            generator.cut_to(symbols);
            for _ in 0..14 {
                let pair = generator.step();
                assert_eq!(terms.sort(pair.plain), terms.sort(pair.simple));
                let (zeros, ones) = terms.known_bits(pair.simple);
                let (low, high) = terms.unsigned_range(pair.simple);
                let (signed_low, signed_high) = terms.signed_range(pair.simple);
                plain_size += terms.node(pair.plain).tree_size() as u64;
                simple_size += terms.node(pair.simple).tree_size() as u64;
                for number in 0..assignments {
                    let seed = mix(seed ^ round << 20 ^ number);
                    let expected = value(&terms, pair.plain, seed, floats);
                    let found = value(&terms, pair.simple, seed, floats);
                    // Without a value (a pattern that is no number) the simplified term may have one.
                    let Some(value) = expected else { continue };
                    assert_eq!(Some(value), found, "\n plain {}\n simple {}", describe(&terms, pair.plain), describe(&terms, pair.simple));
                    let facts = value.value() & zeros == 0
                        && !value.value() & ones == 0
                        && (low..=high).contains(&value.value())
                        && (signed_low..=signed_high).contains(&value.signed());
                    assert!(facts, "facts of {} are wrong for {value:?}", describe(&terms, pair.simple));
                }
                done += 1;
            }
        }
    }
    println!("{done} terms, tree size {plain_size} plain, {simple_size} simplified");
}

#[test]
fn small_widths() {
    check(Shape::small(), 1, 20_000, 12);
}

#[test]
fn wide_widths_and_arrays() {
    check(Shape::wide(), 2, 10_000, 6);
}

#[test]
fn floats() {
    check(Shape::with_floats(), 3, 6_000, 5);
}

#[test]
#[ignore = "the large count, on demand"]
fn large_count() {
    check(Shape::small(), 11, 400_000, 16);
    check(Shape::wide(), 12, 200_000, 8);
    check(Shape::with_floats(), 13, 200_000, 6);
}

/// Building a simplified term again from its parts gives the same term: the rules have reached their end.
#[test]
fn simplification_is_stable() {
    let terms = Terms::new();
    let mut generator = Generator::new(&terms, Shape::small(), 5);
    let mut changed = 0;
    let total = 3_000;
    for _ in 0..total {
        let simple = generator.step().simple;
        let mut memo: FastMap<Term, Term> = FastMap::default();
        terms.post_order([simple], |term, node| {
            let parts: Vec<Term> = terms.children(node).iter().map(|c| memo[c]).collect();
            let again = if parts.is_empty() { term } else { terms.rebuild(node, &parts) };
            memo.insert(term, again);
        });
        changed += (memo[&simple] != simple) as usize;
        if generator.pool().len() > 60 {
            generator.cut_to(12);
        }
    }
    // A few terms change because a rule looked no deeper than its bound.
    assert!(changed * 50 < total, "{changed} of {total} terms changed when they were built again");
}

/// Values wider than a constant can be go through every constructor, and what is cut from them is right.
#[test]
fn wider_than_constants() {
    let terms = Terms::new();
    let mut random = Random::new(6);
    let high = terms.named("high", Sort::bv(128));
    let low = terms.named("low", Sort::bv(128));
    let mut pool = vec![terms.concat(high, low)];
    let mut symbols = 0;
    for _ in 0..4000 {
        let a = pool[random.below(pool.len())];
        let b = pool[random.below(pool.len())];
        let width = terms.width(a);
        let narrow = terms.extract(a, random.below(128) as u32 + 100, 100);
        let condition = terms.is_nonzero(narrow);
        let fitted = terms.resize(b, width, random.chance(50));
        let next = match random.below(14) {
            0 => terms.not(a),
            1 => terms.neg(a),
            2 => terms.ite(condition, a, fitted),
            3 => terms.zero_extend(a, (width + 100).min(600)),
            4 => terms.sign_extend(a, (width + 1).min(600)),
            5 if width < 500 => terms.concat(a, narrow),
            6 if width < 500 => terms.concat(terms.number(64, 0), a),
            7 => terms.extract(a, width - 1, width - 1 - (width / 2).max(130).min(width - 1)),
            8 => {
                let order = random.pick(&[Op::Eq, Op::UnsignedLess, Op::SignedLess]);
                terms.zero_extend(terms.compare(order, a, fitted), 256)
            }
            9 => {
                symbols += 1;
                terms.named(&format!("s{symbols}"), Sort::bv(200))
            }
            _ => {
                let op = random.pick(&[Op::And, Op::Or, Op::Xor, Op::Add, Op::Mul, Op::UnsignedDiv, Op::ShiftLeft, Op::ShiftRightSigned]);
                terms.binary(op, a, fitted)
            }
        };
        terms.known_bits(terms.extract(next, 130.min(terms.width(next) - 1), 0));
        if terms.width(next) >= 240 {
            pool.push(next);
        }
        if pool.len() > 40 {
            pool.swap_remove(1 + random.below(30));
        }
    }
    let pair = terms.concat(high, low);
    assert_eq!(terms.extract(pair, 255, 128), high);
    assert_eq!(terms.extract(terms.not(pair), 127, 0), terms.not(low));
    assert_eq!(terms.concat(terms.extract(pair, 255, 64), terms.extract(low, 63, 0)), pair);
    assert_eq!(terms.extract(terms.sign_extend(pair, 300), 255, 128), high);
    assert_eq!(terms.eq(pair, pair), terms.true_());
}

/// The order of operands and the order of construction do not matter to the sort of rules that C programs need.
#[test]
fn normal_forms() {
    let terms = Terms::new();
    let x = terms.named("x", Sort::bv(32));
    let y = terms.named("y", Sort::bv(32));
    let c = terms.named("c", Sort::BOOL);
    let byte = terms.named("byte", Sort::bv(8));
    let n = |value: i64| terms.number(32, value as u128);
    let check = |input: Term, expected: Term| {
        assert_eq!(input, expected, "{} instead of {}", describe(&terms, input), describe(&terms, expected));
    };
    check(terms.is_nonzero(terms.zero_extend(c, 32)), c);
    check(terms.ne(terms.ite(c, n(1), n(0)), n(0)), c);
    check(terms.eq(terms.zero_extend(c, 32), n(0)), terms.not(c));
    check(terms.sub(terms.add(x, y), x), y);
    check(terms.sub(terms.add(x, n(4)), terms.add(x, n(1))), n(3));
    check(terms.eq(terms.add(x, n(4)), terms.add(y, n(4))), terms.eq(x, y));
    check(terms.add(x, x), terms.mul(x, n(2)));
    check(terms.slt(n(4), x), terms.not(terms.slt(x, n(5))));
    check(terms.sle(x, n(4)), terms.slt(x, n(5)));
    check(terms.and(terms.slt(x, n(5)), terms.slt(x, n(7))), terms.slt(x, n(5)));
    check(terms.and(terms.slt(x, n(5)), terms.slt(n(7), x)), terms.false_());
    check(terms.and(terms.sle(x, n(5)), terms.sle(n(5), x)), terms.eq(x, n(5)));
    check(terms.or(terms.slt(x, n(5)), terms.slt(n(4), x)), terms.true_());
    check(terms.and(terms.eq(x, n(5)), terms.eq(x, n(6))), terms.false_());
    let wide = terms.sign_extend(byte, 32);
    check(terms.slt(wide, n(1000)), terms.true_());
    check(terms.slt(wide, n(10)), terms.slt(byte, terms.number(8, 10)));
    check(terms.extract(terms.add(wide, n(1)), 7, 0), terms.add(byte, terms.number(8, 1)));
    check(terms.binary(Op::UnsignedRem, x, n(8)), terms.and(x, n(7)));
    check(terms.eq(terms.mul(x, n(3)), n(9)), terms.eq(x, n(3)));
    check(terms.eq(terms.mul(x, n(4)), n(9)), terms.false_());
    check(terms.eq(terms.ite(c, n(3), x), n(4)), terms.and(terms.not(c), terms.eq(x, n(4))));
    check(terms.ite(c, terms.ite(c, x, y), y), terms.ite(c, x, y));
    check(terms.and(c, terms.or(c, terms.eq(x, y))), c);
}
