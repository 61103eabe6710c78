//! Ranges and operators on every range of three bits, and on random ones of more.

use crate::interval::operators::apply;
use crate::interval::range::{Range, half};
use crate::interval::widening::{Thresholds, widen};
use assay_term::random::Random;
use assay_term::{Bits, Node, Op, Round, Sort, Terms, eval};

const BINARY: [Op; 18] = [
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
    Op::Eq,
    Op::UnsignedLess,
    Op::SignedLess,
    Op::Concat,
    Op::FEq,
    Op::FAdd,
];

fn all_ranges(width: u32) -> Vec<Range> {
    let side = |first: u128, last: u128| {
        let mut pieces = vec![None];
        for a in first..=last {
            pieces.extend((a..=last).map(|b| Some((a, b))));
        }
        pieces
    };
    let mut ranges = vec![];
    for low in side(0, half(width) - 1) {
        for high in side(half(width), Bits::mask(width)) {
            ranges.extend(Range::of_pieces(width, low, high));
        }
    }
    ranges
}

fn members(range: &Range) -> Vec<Bits> {
    (0..=Bits::mask(range.width())).filter(|&v| range.contains(v)).map(|v| Bits::new(range.width(), v)).collect()
}

fn random_range(random: &mut Random, width: u32) -> (Range, Vec<Bits>) {
    let members: Vec<Bits> = (0..1 + random.below(4)).map(|_| random.bits(width)).collect();
    let range = members.iter().map(|&m| Range::point(m)).reduce(Range::join).unwrap_or(Range::top(width));
    (range, members)
}

fn node(terms: &Terms, op: Op, sort: Sort, a: u32, b: u32, extra: [u32; 2]) -> Node {
    let (x, y) = (terms.named(&format!("x{a}"), Sort::bv(a)), terms.named(&format!("y{b}"), Sort::bv(b)));
    let words = if op.arity() == 1 { [x.0, 0, extra[0], extra[1]] } else { [x.0, y.0, 0, 0] };
    terms.node(terms.intern(op, Round::NearestEven, sort, words))
}

fn result_sort(op: Op, width: u32) -> Sort {
    match op {
        Op::Eq | Op::UnsignedLess | Op::SignedLess | Op::FEq => Sort::BOOL,
        Op::Concat => Sort::bv(2 * width),
        _ => Sort::bv(width),
    }
}

#[test]
fn lattice_laws_hold_for_all_small_ranges() {
    let ranges = all_ranges(3);
    assert_eq!(ranges.len(), 120);
    for a in &ranges {
        assert!(a.contains_range(a));
        assert_eq!(members(a).len() == 1, a.as_point().is_some());
        let unsigned: Vec<u128> = members(a).iter().map(|m| m.value()).collect();
        let signed: Vec<i128> = members(a).iter().map(|m| m.signed()).collect();
        assert_eq!((Some(&a.unsigned_min()), Some(&a.unsigned_max())), (unsigned.iter().min(), unsigned.iter().max()));
        assert_eq!((Some(&a.signed_min()), Some(&a.signed_max())), (signed.iter().min(), signed.iter().max()));
        for value in 0..8 {
            let rest = a.without(value);
            assert!(members(a).iter().all(|m| m.value() == value || rest.is_some_and(|r| r.contains(m.value()))));
        }
        for b in &ranges {
            let join = a.join(*b);
            assert!(join.contains_range(a) && join.contains_range(b));
            assert!(ranges.iter().all(|c| !(c.contains_range(a) && c.contains_range(b)) || c.contains_range(&join)));
            assert_eq!(b.contains_range(a), members(a).iter().all(|m| b.contains(m.value())));
            let common: Vec<Bits> = members(a).into_iter().filter(|m| b.contains(m.value())).collect();
            assert_eq!(a.meet(*b).map_or(vec![], |r| members(&r)), common);
        }
    }
}

#[test]
fn wrapped_intervals_contain_their_members() {
    for width in [1, 3, 4] {
        for start in 0..=Bits::mask(width) {
            for span in 0..=Bits::mask(width) + 2 {
                let range = Range::wrapped(width, start, span);
                assert!((0..=span).all(|i| range.contains((start + i) & Bits::mask(width))));
            }
        }
    }
}

#[test]
fn binary_operators_contain_all_results_of_small_ranges() {
    let terms = Terms::new();
    let ranges = all_ranges(3);
    for op in BINARY.into_iter().filter(|op| !op.is_float()) {
        let node = node(&terms, op, result_sort(op, 3), 3, 3, [0, 0]);
        for a in &ranges {
            for b in &ranges {
                let result = apply(&node, &[Some(*a), Some(*b)]).expect("a bit-vector");
                for x in members(a) {
                    for y in members(b) {
                        let value = eval::apply(&node, &[x, y]).expect("a value");
                        assert!(result.contains(value.value()), "{op:?} of {a} and {b} is {result}, without {x:?}, {y:?} -> {value:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn bounds_of_simple_operators_are_exact() {
    let terms = Terms::new();
    let ranges = all_ranges(3);
    for op in [Op::Add, Op::And, Op::Or, Op::Xor, Op::Eq, Op::UnsignedLess, Op::SignedLess] {
        let node = node(&terms, op, result_sort(op, 3), 3, 3, [0, 0]);
        for a in &ranges {
            for b in &ranges {
                let best = members(a)
                    .into_iter()
                    .flat_map(|x| members(b).into_iter().map(move |y| (x, y)))
                    .filter_map(|(x, y)| eval::apply(&node, &[x, y]))
                    .map(Range::point)
                    .reduce(Range::join);
                assert_eq!(apply(&node, &[Some(*a), Some(*b)]), best, "{op:?} of {a} and {b}");
            }
        }
    }
}

#[test]
fn unary_operators_contain_all_results_of_small_ranges() {
    let terms = Terms::new();
    let mut nodes = vec![];
    for op in [Op::Not, Op::Neg] {
        nodes.push(node(&terms, op, Sort::bv(4), 4, 4, [0, 0]));
    }
    for op in [Op::ZeroExtend, Op::SignExtend] {
        nodes.push(node(&terms, op, Sort::bv(7), 4, 4, [0, 0]));
    }
    for low in 0..4 {
        nodes.extend((low..4).map(|high| node(&terms, Op::Extract, Sort::bv(high - low + 1), 4, 4, [high, low])));
    }
    for node in nodes {
        for a in all_ranges(4) {
            let result = apply(&node, &[Some(a)]).expect("a bit-vector");
            for x in members(&a) {
                let value = eval::apply(&node, &[x]).expect("a value");
                assert!(result.contains(value.value()), "{:?} of {a} is {result}, without {x:?} -> {value:?}", node.op);
            }
        }
    }
}

#[test]
fn operators_contain_results_of_random_wide_ranges() {
    let terms = Terms::new();
    let mut random = Random::new(1);
    for round in 0..60_000 {
        let width = [8, 16, 32, 33, 64, 65, 127, 128][round % 8];
        let op = random.pick(&BINARY);
        if op.is_float() && !matches!(width, 16 | 32 | 64 | 128) || op == Op::Concat && width > 64 {
            continue;
        }
        let node = node(&terms, op, result_sort(op, width), width, width, [0, 0]);
        let ((a, xs), (b, ys)) = (random_range(&mut random, width), random_range(&mut random, width));
        let result = apply(&node, &[Some(a), Some(b)]).expect("a bit-vector");
        for &x in &xs {
            for &y in &ys {
                let Some(value) = eval::apply(&node, &[x, y]) else { continue };
                assert!(result.contains(value.value()), "{op:?} of {a} and {b} is {result}, without {x:?}, {y:?} -> {value:?}");
            }
        }
    }
}

#[test]
fn widening_contains_both_and_settles() {
    let mut random = Random::new(7);
    for round in 0..2000 {
        let width = [1, 3, 4, 8, 32, 64][round % 6];
        let thresholds = Thresholds::new((0..5).map(|_| random.bits(width)).collect::<Vec<_>>());
        let hint = random_range(&mut random, width).0;
        let mut range = random_range(&mut random, width).0;
        let mut changes = 0;
        for _ in 0..400 {
            let new = random_range(&mut random, width).0;
            let wide = widen(range, new, Some(hint), Some(&thresholds)).expect("not empty");
            assert!(wide.contains_range(&range) && wide.contains_range(&new));
            changes += usize::from(wide != range);
            range = wide;
        }
        assert!(changes <= 4 * (thresholds.len() + 3), "{changes} changes");
    }
}
