//! The two text forms: what is printed reads back as the same term, and bad text is refused with a reason.

mod common;

use assay_base::FastMap;
use assay_term::random::{Generator, Shape};
use assay_term::{Op, ReadError, Round, Sort, Term, Terms};
use common::value;
use std::fmt::Write;

/// The term built again from its leaves, which is what a reader does.
fn rebuilt(terms: &Terms, root: Term) -> Term {
    let mut memo: FastMap<Term, Term> = FastMap::default();
    terms.post_order([root], |term, node| {
        let parts: Vec<Term> = terms.children(node).iter().map(|c| memo[c]).collect();
        let again = if parts.is_empty() && node.op != Op::Apply { term } else { terms.rebuild(node, &parts) };
        memo.insert(term, again);
    });
    memo[&root]
}

fn shapes() -> [Shape; 3] {
    [Shape::small(), Shape::wide(), Shape::with_floats()]
}

#[test]
fn compact_text_reads_back() {
    for shape in shapes() {
        let terms = Terms::new();
        let mut generator = Generator::new(&terms, shape, 21);
        for _ in 0..1500 {
            let term = generator.step().simple;
            let text = terms.display(term).to_string();
            let back = terms.parse_term(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
            assert_eq!(back, rebuilt(&terms, term), "{text}");
        }
    }
}

#[test]
fn compact_text_is_the_same_in_another_store() {
    let (one, other) = (Terms::new(), Terms::new());
    // The ids differ, the text does not.
    for i in 0..100 {
        other.number(32, 1000 + i);
    }
    let build = |terms: &Terms| {
        let (x, y) = (terms.named("x", Sort::bv(32)), terms.named("y", Sort::bv(32)));
        let sum = terms.add(y, x);
        let product = terms.mul(sum, terms.mul(sum, x));
        terms.slt(terms.add(product, terms.number(32, 7)), terms.sub(y, sum))
    };
    let (p, q) = (build(&one), build(&other));
    assert_eq!(one.display(p).to_string(), other.display(q).to_string());
    assert_eq!(one.to_smtlib(&[p]), other.to_smtlib(&[q]));
    assert_eq!(one.node(p).fingerprint, other.node(q).fingerprint);
}

#[test]
fn compact_text_by_example() {
    let terms = Terms::new();
    let check = |text: &str, expected: &str| match terms.parse_term(text) {
        Ok(term) => assert_eq!(terms.display(term).to_string(), expected),
        Err(error) => assert_eq!(error.to_string(), expected, "{text}"),
    };
    check("(<s main::x:32 5:32)", "(<s main::x 5:32)");
    check("(+ main::x -1:32)", "(+ main::x -1:32)");
    check("(let $0 = (* main::x main::x) in (^ $0 (zext 32 (extract 7 0 $0))))", "(let $0 = (* main::x main::x) in (^ $0 (& $0 255:32)))");
    check("(fadd.rtz a:64 b:64)", "(fadd.rtz a b)");
    check("(select memory:[64,8] &main::x:64)", "(select memory &main::x:64)");
    check("(call f 8 main::x true)", "(call f 8 main::x true)");
    check("|odd name|:8", "|odd name|");
    check("&|odd name|:64", "&|odd name|:64");
    check("|true|:1", "|true|");
    check("|a\\|b\\\\|:4", "|a\\|b\\\\|");
    check("|x:32|:4", "|x:32|");
    check("true", "true");
    check("unknown", "at byte 0: unknown symbol `unknown`");
    check("main::x:8", "at byte 0: symbol `main::x` has another sort");
    check("(+ main::x", "the text ends in the middle of a term");
    check("(+ main::x a)", "at byte 1: operands do not fit `+`");
    check("(+ main::x main::x main::x)", "at byte 1: operands do not fit `+`");
    check("(extract 40 0 main::x)", "at byte 1: operands do not fit `extract`");
    check("(zext 8 main::x)", "at byte 1: operands do not fit `zext`");
    check("(nonsense main::x)", "at byte 1: `nonsense` is not supported");
    check("5:0", "at byte 0: expected a term, found `5:0`");
    check("5:129", "at byte 0: expected a term, found `5:129`");
    check(")", "at byte 0: expected a term, found `)`");
    check("main::x main::x", "at byte 8: expected the end, found `main::x`");
}

#[test]
fn scripts_read_back() {
    for (number, shape) in shapes().into_iter().enumerate() {
        let floats = shape.floats;
        let terms = Terms::new();
        let mut generator = Generator::new(&terms, shape, 22);
        let (mut same, mut total) = (0, 0);
        for step in 0..700 {
            let term = generator.step().simple;
            if terms.width(term) != 1 || uses(&terms, term, Op::FRem) {
                continue;
            }
            let script = terms.to_smtlib(&[term]);
            // Into a store of its own: everything must be in the text.
            let fresh = Terms::new();
            let back = fresh.read_smtlib(&script).unwrap_or_else(|e| panic!("{e}\n{script}"));
            assert_eq!(back.len(), 1);
            for seed in 0..4 {
                let expected = value(&terms, term, seed, floats);
                assert_eq!(expected, value(&fresh, back[0], seed, floats), "step {step}\n{script}");
            }
            same += (fresh.node(back[0]).fingerprint == terms.node(rebuilt(&terms, term)).fingerprint) as usize;
            total += 1;
        }
        assert!(total > 50);
        assert!(number == 2 || same * 100 >= total * 98, "{same} of {total} terms came back the same");
    }
}

fn uses(terms: &Terms, root: Term, op: Op) -> bool {
    let mut found = false;
    terms.post_order([root], |_, node| found |= node.op == op);
    found
}

#[test]
fn scripts_keep_names_functions_and_addresses() {
    let terms = Terms::new();
    let names = ["and", "bvadd", "a|b", "a\\b", "50%7C", "x y", "main::x", "$0", "let", "&x", "ä"];
    let symbols: Vec<Term> = names.iter().map(|name| terms.named(name, Sort::bv(8))).collect();
    let f = terms.intern_symbol("f", Sort::bv(8));
    let mut sum = terms.number(8, 1);
    for &symbol in &symbols {
        let image = terms.apply(f, &[symbol], Sort::bv(8));
        sum = terms.add(terms.mul(sum, sum), terms.xor(image, symbol));
    }
    let pair = terms.apply(f, &[sum, sum], Sort::bv(8));
    let address = terms.address(terms.intern_symbol("main::x", Sort::bv(8)), 8);
    let constraint = terms.ult(pair, terms.add(address, sum));
    let script = terms.to_smtlib(&[constraint]);
    let back = terms.read_smtlib(&script.replace("f/2", "f%2F2")).map(|list| list.len());
    assert_eq!(back, Ok(1), "{script}");
    let fresh = Terms::new();
    let list = fresh.read_smtlib(&script).expect("own script");
    for name in names {
        assert!(fresh.find_symbol(name).is_some(), "{name} was lost\n{script}");
    }
    assert_eq!(list.len(), 1);
}

#[test]
fn scripts_of_others() {
    let terms = Terms::new();
    let script = "; a comment
(set-info :status sat)
(set-logic QF_ABVFP)
(declare-const p Bool)
(declare-fun x () (_ BitVec 32))
(declare-fun y () Float32)
(define-fun z () (_ BitVec 32) (bvadd x (_ bv5 32) #x00000001))
(assert (! (let ((x z) (w x)) (and p (= x (bvadd w #x00000006)) (bvsge x w) (distinct x w))) :named first))
(assert (fp.leq y (fp #b0 #x7f #b00000000000000000000000)))
(assert (=> p (not (fp.isNaN y))))
(check-sat)
(get-model)
(exit)";
    let list = terms.read_smtlib(script).expect("a script");
    assert_eq!(list.len(), 3);
    assert_eq!(terms.display(list[0]).to_string(), "(& (~ (<s (+ x 6:32) x)) p)");
    let refused = |script: &str| terms.read_smtlib(script).expect_err("an error");
    assert!(matches!(refused("(push 1)"), ReadError::Unsupported { .. }));
    assert!(matches!(refused("(assert x)"), ReadError::UnknownSymbol { .. }));
    assert!(matches!(refused("(declare-fun x () (_ BitVec 8))"), ReadError::SymbolHasOtherSort { .. }));
    assert!(matches!(refused("(assert (bvadd #x0 #b1))"), ReadError::BadOperands { .. }));
    assert!(matches!(refused("(assert"), ReadError::UnexpectedEnd));
    assert!(matches!(refused("(assert (fp.fma RNE #x0))"), ReadError::Unsupported { .. }));
    assert!(matches!(refused("(assert #x0)"), ReadError::BadOperands { .. }));
}

/// Arbitrary damage to a script leads to an error or to another script, never to a panic.
#[test]
fn damaged_text_never_panics() {
    let terms = Terms::new();
    let mut generator = Generator::new(&terms, Shape::with_floats(), 23);
    let term = loop {
        let term = generator.step().simple;
        if terms.width(term) == 1 && terms.node(term).tree_size() > 30 {
            break term;
        }
    };
    let (script, text) = (terms.to_smtlib(&[term]), terms.display(term).to_string());
    let mut random = assay_term::random::Random::new(24);
    for _ in 0..3000 {
        for (source, is_script) in [(&script, true), (&text, false)] {
            let mut bytes = source.clone().into_bytes();
            for _ in 0..1 + random.below(3) {
                let at = random.below(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
                if bytes.is_empty() {
                    break;
                }
                match random.below(3) {
                    0 => bytes[at] = random.pick(b"() 019|:$#x_&"),
                    1 => {
                        bytes.remove(at);
                    }
                    _ => bytes.truncate(at.max(1)),
                }
            }
            let Ok(damaged) = String::from_utf8(bytes) else { continue };
            let fresh = Terms::new();
            if is_script {
                let _ = fresh.read_smtlib(&damaged);
            } else {
                let _ = terms.parse_term(&damaged);
            }
        }
    }
}

/// Scripts for a solver to judge, one a file: a term under an assignment has the value that the evaluator gives,
/// so each script is unsatisfiable. `ASSAY_SCRIPTS=folder cargo test -p assay-term --test text -- --ignored`.
#[test]
#[ignore = "writes files for a solver, on demand"]
fn write_scripts_for_a_solver() {
    let Ok(folder) = std::env::var("ASSAY_SCRIPTS") else {
        println!("ASSAY_SCRIPTS names no folder: nothing written");
        return;
    };
    for (kind, shape) in shapes().into_iter().enumerate() {
        let floats = shape.floats;
        let terms = Terms::new();
        let mut generator = Generator::new(&terms, shape, 25);
        let symbols = generator.pool().len();
        for number in 0..300 {
            generator.cut_to(symbols);
            for _ in 0..6 {
                generator.step();
            }
            let term = generator.pool()[generator.pool().len() - 1].plain;
            let seed = number;
            let Some(expected) = value(&terms, term, seed, floats) else { continue };
            let mut constraints = vec![plain_ne(&terms, term, terms.constant(expected))];
            let mut has_array = false;
            terms.post_order([term], |leaf, node| {
                if node.op == Op::Symbol {
                    has_array |= node.sort.is_array();
                    if let Some(bits) = value(&terms, leaf, seed, floats) {
                        let constant = terms.constant(bits);
                        let same = terms.intern(Op::Eq, Round::NearestEven, Sort::BOOL, [leaf.0, constant.0, 0, 0]);
                        constraints.push(same);
                    }
                }
            });
            if has_array {
                continue;
            }
            let mut text = terms.to_smtlib(&constraints);
            let _ = writeln!(text, "; expected: unsat");
            std::fs::write(format!("{folder}/{kind}-{number}.smt2"), text).expect("the folder is writable");
        }
    }
}

/// `a != b` without simplification.
fn plain_ne(terms: &Terms, a: Term, b: Term) -> Term {
    let equal = terms.intern(Op::Eq, Round::NearestEven, Sort::BOOL, [a.0, b.0, 0, 0]);
    terms.intern(Op::Not, Round::NearestEven, Sort::BOOL, [equal.0, 0, 0, 0])
}
