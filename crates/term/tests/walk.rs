//! Traversals, very deep terms, and the store under many threads.

mod common;

use assay_base::FastMap;
use assay_term::random::{Generator, Random, Shape};
use assay_term::{Bits, Op, Round, Sort, Term, Terms, eval};
use common::value;

#[test]
fn substitution_is_evaluation_in_two_steps() {
    let terms = Terms::new();
    let mut generator = Generator::new(&terms, Shape::wide(), 31);
    for step in 0..800u64 {
        let root = generator.step().simple;
        let seed = step % 7;
        // Every symbol of bit-vectors is replaced by its value; what is left is a constant where there are no arrays.
        let replaced = terms.substitute(root, &mut |node| {
            if node.op != Op::Symbol || node.sort.is_array() {
                return None;
            }
            let leaf = terms.symbol(node.symbol());
            value(&terms, leaf, seed, false).map(|bits| terms.constant(bits))
        });
        assert_eq!(value(&terms, root, seed, false), value(&terms, replaced, seed, false));
        let symbols = terms.free_symbols(replaced);
        assert!(symbols.iter().all(|&s| terms.symbol_info(s).sort.is_array()));
        if symbols.is_empty() && terms.free_symbols(root).iter().all(|&s| !terms.symbol_info(s).sort.is_array()) {
            assert_eq!(terms.as_constant(replaced), value(&terms, root, seed, false), "{}", terms.display(replaced));
        }
    }
}

#[test]
fn symbols_sizes_and_conjuncts() {
    let terms = Terms::new();
    let x = terms.named("x", Sort::bv(32));
    let y = terms.named("y", Sort::bv(32));
    let f = terms.intern_symbol("f", Sort::bv(32));
    let sum = terms.add(x, y);
    let image = terms.apply(f, &[sum, x], Sort::bv(32));
    let product = terms.mul(sum, image);
    let names: Vec<&str> = terms.free_symbols(product).iter().map(|&s| terms.symbol_name(s)).collect();
    assert_eq!(names.len(), 2);
    // x, y, the sum, the function's value and the product.
    assert_eq!(terms.dag_size(product), 5);
    let parts: Vec<Term> = (0..5).map(|i| terms.ult(product, terms.number(32, 10 + (i * 7) % 5))).collect();
    assert_eq!(terms.conjuncts(parts[0]), vec![parts[0]]);
    let (a, b, c) = (terms.slt(x, y), terms.slt(y, x), terms.eq(product, x));
    let all = terms.and_all([a, terms.not(terms.or(b, c)), terms.true_()]);
    let mut found = terms.conjuncts(all);
    let mut expected = vec![a, terms.not(b), terms.not(c)];
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(terms.conjuncts(terms.true_()), vec![]);
    assert_eq!(terms.conjuncts(terms.false_()), vec![terms.false_()]);
}

#[test]
fn overlays_share_the_base_and_import_carries_terms() {
    let terms = Terms::new();
    let x = terms.named("x", Sort::bv(32));
    let sum = terms.add(x, terms.number(32, 5));
    let base = terms.freeze();
    let (one, other) = (Terms::overlay(base.clone()), Terms::overlay(base));
    assert_eq!(one.add(one.named("x", Sort::bv(32)), one.number(32, 5)), sum);
    other.named("unrelated", Sort::bv(8));
    let y = one.named("y", Sort::bv(32));
    let product = one.mul(sum, y);
    let mut memo = FastMap::default();
    let copy = other.import(&one, product, &mut memo);
    assert_eq!(other.node(copy).fingerprint, one.node(product).fingerprint);
    assert_eq!(other.display(copy).to_string(), one.display(product).to_string());
}

/// Runs on a small stack, so that recursion that grows with the term shows.
fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(work).expect("a thread");
    thread.join().expect("the work ends without a panic");
}

/// A million in optimised builds without assertions; what fails there at depth fails on the small stack with this
/// many as well.
const DEEP: usize = if cfg!(debug_assertions) { 60_000 } else { 1_000_000 };

/// Everything that walks a term, on a deep one.
fn exercise(terms: &Terms, root: Term) {
    assert!(!terms.free_symbols(root).is_empty());
    assert!(terms.dag_size(root) > 0);
    let mut zeros = |node: &assay_term::Node| Some(Bits::new(node.width(), 1));
    let before = eval::evaluate(terms, root, &mut zeros);
    terms.known_bits(root);
    terms.unsigned_range(root);
    terms.signed_range(root);
    let text = terms.display(root).to_string();
    let back = terms.parse_term(&text).expect("own text");
    assert_eq!(eval::evaluate(terms, back, &mut zeros), before);
    let other = terms.named("other", Sort::bv(8));
    let replaced = terms.substitute(root, &mut |node| (node.op == Op::Symbol && node.width() == 8).then_some(other));
    assert_eq!(eval::evaluate(terms, replaced, &mut zeros), before);
    let truth = terms.is_nonzero(terms.resize(root, 40, false));
    let script = terms.to_smtlib(&[truth]);
    assert_eq!(terms.read_smtlib(&script).map(|list| list.len()), Ok(1));
    terms.conjuncts(truth);
}

#[test]
fn deep_random_chains() {
    on_small_stack(|| {
        let terms = Terms::new();
        let mut random = Random::new(41);
        let symbols: Vec<Term> = (0..4).map(|i| terms.named(&format!("s{i}"), Sort::bv(8))).collect();
        let binary = [Op::And, Op::Or, Op::Xor, Op::Add, Op::Mul, Op::UnsignedDiv, Op::SignedRem, Op::ShiftLeft, Op::ShiftRight];
        let mut root = symbols[0];
        for _ in 0..DEEP / 4 {
            let other = if random.chance(40) { terms.constant(random.bits(8)) } else { random.pick(&symbols) };
            root = match random.below(8) {
                0..=3 => {
                    let op = random.pick(&binary);
                    if random.chance(50) { terms.binary(op, root, other) } else { terms.binary(op, other, root) }
                }
                4 => terms.not(root),
                5 => {
                    let condition = terms.ult(root, other);
                    terms.ite(condition, other, root)
                }
                6 => terms.extract(terms.add(terms.sign_extend(root, 32), terms.number(32, 3)), 7, 0),
                _ => {
                    let condition = terms.eq(other, symbols[1]);
                    terms.ite(condition, root, other)
                }
            };
            if terms.as_constant(root).is_some() {
                root = symbols[2];
            }
        }
        exercise(&terms, root);
    });
}

/// A chain of one operator: the worst case for a rule that would follow it down.
fn deep_chain(step: impl Fn(&Terms, Term, usize) -> Term + Send + 'static) {
    on_small_stack(move || {
        let terms = Terms::new();
        let mut root = terms.named("x", Sort::bv(8));
        for i in 0..DEEP {
            root = step(&terms, root, i);
        }
        exercise(&terms, root);
    });
}

#[test]
fn deep_alternating_masks_cut() {
    deep_chain(|terms, root, i| {
        let k = terms.number(8, 0x5A ^ (i as u128 & 3));
        terms.binary([Op::And, Op::Xor, Op::Or][i % 3], terms.add(root, k), k)
    });
}

#[test]
fn deep_ite_of_constants() {
    deep_chain(|terms, root, i| {
        let y = terms.named(&format!("y{}", i % 1000), Sort::bv(8));
        let condition = terms.eq(y, terms.number(8, i as u128));
        terms.ite(condition, terms.number(8, i as u128 * 7), root)
    });
}

#[test]
fn deep_conjunction() {
    on_small_stack(|| {
        let terms = Terms::new();
        let y = terms.named("y", Sort::bv(32));
        let bits = terms.named("bits", Sort::bv(8));
        let mut all = terms.ult(bits, terms.number(8, 77));
        for i in 0..DEEP {
            let part = terms.ult(terms.mul(y, terms.number(32, 2 * i as u128 + 3)), terms.number(32, 1000 + i as u128));
            all = if i % 2 == 0 { terms.and(all, part) } else { terms.not(terms.and(all, part)) };
        }
        exercise(&terms, all);
    });
}

#[test]
fn deep_stores() {
    on_small_stack(|| {
        let terms = Terms::new();
        let index = terms.named("i", Sort::bv(32));
        let mut memory = terms.named("memory", Sort::array(32, 8));
        for i in 0..DEEP {
            memory = terms.store(memory, terms.number(32, i as u128), terms.number(8, i as u128));
        }
        assert_eq!(terms.select(memory, terms.number(32, DEEP as u128 - 3)), terms.number(8, DEEP as u128 - 3));
        let far = terms.select(memory, terms.number(32, DEEP as u128 + 3));
        let unknown = terms.select(memory, index);
        let both = terms.add(far, unknown);
        assert!(terms.dag_size(both) > DEEP);
        let text = terms.display(both).to_string();
        assert_eq!(terms.parse_term(&text).map(|t| terms.width(t)), Ok(8));
    });
}

#[test]
fn many_threads_get_the_same_ids() {
    let terms = Terms::new();
    let build = |seed: u64| {
        let mut generator = Generator::new(&terms, Shape::with_floats(), seed);
        let mut list = Vec::new();
        for _ in 0..1500 {
            let pair = generator.step();
            list.push((pair.plain, pair.simple));
        }
        list
    };
    let results: Vec<Vec<Vec<(Term, Term)>>> = std::thread::scope(|scope| {
        // Each thread builds the same things in another order.
        let threads: Vec<_> = (0..8u64).map(|t| scope.spawn(move || (0..4).map(|i| build((i + t) % 4)).collect::<Vec<_>>())).collect();
        threads.into_iter().map(|t| t.join().expect("no panic")).collect()
    });
    for (t, result) in results.iter().enumerate() {
        for i in 0..4 {
            assert_eq!(result[i], results[0][(i + t) % 4], "thread {t}");
        }
    }
    // No node is there twice.
    let mut seen = std::collections::HashSet::new();
    for index in 0..terms.len() as u32 {
        let node = terms.node(Term(index));
        assert!(seen.insert((node.op, node.round as u8, node.sort, [node.a, node.b, node.c, node.d])), "{index} is there twice");
    }
}

/// What the process occupies, in bytes.
fn resident() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split_whitespace().nth(1)?.parse::<usize>().ok().map(|pages| pages * 4096)
}

/// `cargo test -p assay-term --release --test walk -- --ignored --nocapture` on a machine with a gigabyte to spare.
#[test]
#[ignore = "needs a gigabyte, on demand"]
fn ten_million_terms_in_64_bytes_each() {
    let terms = Terms::new();
    let before = resident();
    let mut root = terms.named("x", Sort::bv(64));
    let y = terms.named("y", Sort::bv(64));
    let mut i = 0u128;
    let start = std::time::Instant::now();
    while terms.len() < 10_000_000 {
        i += 1;
        let factor = terms.intern(Op::Mul, Round::NearestEven, Sort::bv(64), [y.0, terms.number(64, i).0, 0, 0]);
        root = terms.xor(root, factor);
    }
    let elapsed = start.elapsed();
    let (Some(before), Some(after)) = (before, resident()) else {
        println!("this system does not tell its memory: only the count was tested");
        return;
    };
    let each = (after - before) as f64 / terms.len() as f64;
    println!("{} terms, {each:.1} bytes each, {:.0} ns each, root {root}", terms.len(), elapsed.as_nanos() as f64 / terms.len() as f64);
    assert!(each <= 64.0, "{each} bytes a term");
}
