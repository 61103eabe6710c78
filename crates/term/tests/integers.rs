//! Mathematical integers: simplified against evaluated, printed and read in both text forms.

use assay_term::integer::bits_of_integer;
use assay_term::random::Random;
use assay_term::{Bits, Op, Round, Sort, Term, Terms, eval};

/// A random term built as it is and through the constructors.
fn random_pair(terms: &Terms, random: &mut Random, depth: u32) -> (Term, Term) {
    if depth == 0 || random.chance(20) {
        return match random.below(4) {
            0 => {
                let number = terms.integer(random.below(9) as i128 - 4);
                (number, number)
            }
            1 => {
                let x = terms.named("b", Sort::bv(8));
                let signed = random.chance(50);
                let op = if signed { Op::IntegerOfSigned } else { Op::IntegerOfUnsigned };
                let plain = terms.intern(op, Round::NearestEven, Sort::INTEGER, [x.0, 0, 0, 0]);
                (plain, terms.integer_of(x, signed))
            }
            n => {
                let symbol = terms.named(["x", "y"][n - 2], Sort::INTEGER);
                (symbol, symbol)
            }
        };
    }
    let (a, p) = random_pair(terms, random, depth - 1);
    let (b, q) = random_pair(terms, random, depth - 1);
    let near = Round::NearestEven;
    match random.below(7) {
        0 => (terms.intern(Op::IntegerNeg, near, Sort::INTEGER, [a.0, 0, 0, 0]), terms.integer_neg(p)),
        1 => {
            let (c, r) = random_truth(terms, random, (a, p), (b, q));
            (terms.intern(Op::Ite, near, Sort::INTEGER, [c.0, a.0, b.0, 0]), terms.ite(r, p, q))
        }
        2 => {
            // To eight bits and back.
            let cut = terms.intern(Op::IntegerToBits, near, Sort::bv(8), [a.0, 0, 0, 0]);
            let plain = terms.intern(Op::IntegerOfSigned, near, Sort::INTEGER, [cut.0, 0, 0, 0]);
            (plain, terms.integer_of(terms.bits_of(p, 8), true))
        }
        n => {
            let op = [Op::IntegerAdd, Op::IntegerMul, Op::IntegerDiv, Op::IntegerMod][n - 3];
            (terms.intern(op, near, Sort::INTEGER, [a.0, b.0, 0, 0]), terms.integer_binary(op, p, q))
        }
    }
}

fn random_truth(terms: &Terms, random: &mut Random, (a, p): (Term, Term), (b, q): (Term, Term)) -> (Term, Term) {
    let near = Round::NearestEven;
    if random.chance(50) {
        (terms.intern(Op::IntegerLess, near, Sort::BOOL, [a.0, b.0, 0, 0]), terms.integer_less(p, q))
    } else {
        (terms.intern(Op::Eq, near, Sort::BOOL, [a.0, b.0, 0, 0]), terms.eq(p, q))
    }
}

fn value(terms: &Terms, term: Term, x: i128, y: i128, b: u8) -> Option<Bits> {
    eval::evaluate(terms, term, &mut |node| {
        Some(match terms.symbol_name(node.symbol()) {
            "x" => bits_of_integer(x),
            "y" => bits_of_integer(y),
            _ => Bits::new(8, u128::from(b)),
        })
    })
}

#[test]
fn simplified_terms_have_the_plain_terms_value() {
    let mut compared = 0;
    for seed in 0..3000 {
        let terms = Terms::new();
        let mut random = Random::new(seed);
        let (a, b) = (random_pair(&terms, &mut random, 3), random_pair(&terms, &mut random, 3));
        let (plain, simple) = random_truth(&terms, &mut random, a, b);
        for _ in 0..10 {
            let (x, y, b) = (random.below(40) as i128 - 20, random.below(7) as i128 - 3, random.next_u64() as u8);
            // Where the plain term has no value (a division by zero), the simplified one may have one.
            let Some(expected) = value(&terms, plain, x, y, b) else { continue };
            compared += 1;
            assert_eq!(value(&terms, simple, x, y, b), Some(expected), "{} is not {}", terms.display(simple), terms.display(plain));
        }
    }
    assert!(compared > 10_000, "only {compared}");
}

#[test]
fn both_text_forms_are_read_as_they_were_written() {
    for seed in 0..500 {
        let terms = Terms::new();
        let mut random = Random::new(seed);
        let (a, b) = (random_pair(&terms, &mut random, 3), random_pair(&terms, &mut random, 3));
        let (_, term) = random_truth(&terms, &mut random, a, b);
        let text = terms.display(term).to_string();
        assert_eq!(terms.parse_term(&text), Ok(term), "{text}");
        let script = terms.to_smtlib(&[term]);
        let read = terms.read_smtlib(&script).unwrap_or_else(|e| panic!("{e}\n{script}"));
        // A signed conversion is spelled out in the script; the value is what must stay.
        for _ in 0..5 {
            let (x, y, b) = (random.below(40) as i128 - 20, random.below(7) as i128 - 3, random.next_u64() as u8);
            if let Some(expected) = value(&terms, term, x, y, b) {
                assert_eq!(value(&terms, read[0], x, y, b), Some(expected), "{script}");
            }
        }
    }
}

#[test]
fn rules_reach_their_normal_forms() {
    let terms = Terms::new();
    let (x, y) = (terms.named("x", Sort::INTEGER), terms.named("y", Sort::INTEGER));
    let number = |n| terms.integer(n);
    let plus = |n| terms.integer_add(x, number(n));
    assert_eq!(terms.integer_add(plus(3), number(-3)), x);
    assert_eq!(terms.integer_less(plus(3), number(5)), terms.integer_less(x, number(2)));
    assert_eq!(terms.eq(plus(1), number(1)), terms.eq(x, number(0)));
    assert_eq!(terms.integer_sub(x, x), number(0));
    assert_eq!(terms.integer_mul(terms.integer_mul(y, number(3)), number(5)), terms.integer_mul(y, number(15)));
    assert_eq!(terms.ite(terms.integer_less(x, x), x, y), y);
    let byte = terms.named("byte", Sort::bv(8));
    assert_eq!(terms.bits_of(terms.integer_of(byte, true), 16), terms.sign_extend(byte, 16));
    assert_eq!(terms.display(terms.integer_less(x, number(-2))).to_string(), "(int< x -2:int)");
    // Constants that leave 128 bits are not folded wrongly.
    let huge = terms.integer_add(number(i128::MAX), number(1));
    assert_eq!(terms.as_integer(huge), None);
    assert_eq!(value(&terms, huge, 0, 0, 0), None);
}
